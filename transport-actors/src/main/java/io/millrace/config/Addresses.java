package io.millrace.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Reads {@code host:port}; an IPv6 literal stands in brackets. */
public final class Addresses {
  private static final int MAX_PORT = 65_535;

  private Addresses() {}

  /**
   * Parses and resolves an address.
   *
   * @param key what to name in the error: a configuration key or an argument
   * @throws SettingsException if the text is malformed or the host is unknown
   */
  public static InetSocketAddress parse(String key, String text) {
    HostAndPort parts = split(key, text);
    try {
      return new InetSocketAddress(InetAddress.getByName(parts.host()), parts.port());
    } catch (UnknownHostException e) {
      throw new SettingsException(key, "names the unknown host '" + parts.host() + "'");
    }
  }

  /**
   * Parses an address whose host is a literal; asks no name service, so it does not block.
   *
   * @throws SettingsException if the text is malformed or the host is a name
   */
  public static InetSocketAddress parseNumeric(String key, String text) {
    HostAndPort parts = split(key, text);
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(parts.host()), parts.port());
    } catch (IllegalArgumentException e) {
      throw new SettingsException(key, "must be numeric, not '" + text + "'");
    }
  }

  /** The text that {@link #parse} reads back: numeric, IPv6 in brackets. */
  public static String format(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private record HostAndPort(String host, int port) {}

  private static HostAndPort split(String key, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
      throw new SettingsException(key, "must be host:port, not '" + text + "'");
    }
    int port;
    try {
      port = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw new SettingsException(key, "must end in a port number, not '" + text + "'");
    }
    if (port < 0 || port > MAX_PORT) {
      throw new SettingsException(key, "has the port " + port + ", which is not within 0 to 65535");
    }
    return new HostAndPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
  }
}
