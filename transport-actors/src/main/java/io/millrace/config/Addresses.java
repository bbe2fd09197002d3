package io.millrace.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.function.Function;

/** Reads {@code host:port}; an IPv6 literal stands in brackets. */
public final class Addresses {
  private static final int MAX_PORT = 65_535;

  private Addresses() {}

  /**
   * Parses and resolves an address of the configuration.
   *
   * @param key the full path of the address's key, named by the error
   * @throws SettingsException if the text is malformed or the host is unknown
   */
  public static InetSocketAddress parse(String key, String text) {
    return resolved(problem -> new SettingsException(key, problem), text);
  }

  /**
   * Parses and resolves an address that is no setting, but an argument.
   *
   * @param subject the beginning of the error, such as {@code the peer's address}
   * @throws SettingsException if the text is malformed or the host is unknown
   */
  public static InetSocketAddress parseArgument(String subject, String text) {
    return resolved(problem -> new SettingsException(subject + " " + problem), text);
  }

  /**
   * Requires that a text is {@code host:port}; asks no name service, so the host may be unknown.
   *
   * @param subject the beginning of the error
   * @throws SettingsException if the text is malformed
   */
  public static void requireForm(String subject, String text) {
    var _ = split(problem -> new SettingsException(subject + " " + problem), text);
  }

  /**
   * Parses an address whose host is a literal; asks no name service, so the call does not block.
   *
   * @param subject the beginning of the error
   * @throws SettingsException if the text is malformed or the host is a name
   */
  public static InetSocketAddress parseNumeric(String subject, String text) {
    Function<String, SettingsException> failure =
        problem -> new SettingsException(subject + " " + problem);
    HostAndPort parts = split(failure, text);
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(parts.host()), parts.port());
    } catch (IllegalArgumentException e) {
      throw failure.apply("must have an IP address in front of its port, not '" + text + "'");
    }
  }

  /** The text that {@link #parse} reads back: numeric, IPv6 in brackets. */
  public static String format(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private record HostAndPort(String host, int port) {}

  private static InetSocketAddress resolved(
      Function<String, SettingsException> failure, String text) {
    HostAndPort parts = split(failure, text);
    try {
      return new InetSocketAddress(InetAddress.getByName(parts.host()), parts.port());
    } catch (UnknownHostException e) {
      throw failure.apply("names the unknown host '" + parts.host() + "'");
    }
  }

  private static HostAndPort split(Function<String, SettingsException> failure, String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.indexOf(':') >= 0 && !bracketed)) {
      throw failure.apply("must be host:port, not '" + text + "'");
    }
    int port;
    try {
      port = Integer.parseInt(text.substring(colon + 1));
    } catch (NumberFormatException e) {
      throw failure.apply("must end in a port number, not '" + text + "'");
    }
    if (port < 0 || port > MAX_PORT) {
      throw failure.apply("has the port " + port + ", which is not within 0 to 65535");
    }
    return new HostAndPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
  }
}
