package io.millrace.samples.certs;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The hosts in a certificate: DNS names and IP addresses. Asks no name service. */
final class HostNames {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");

  /**
   * Labels of a DNS name; the first label may be a star. A name of digits and dots is no DNS name.
   * Host names of containers have underscores, which no resolver minds.
   */
  private static final Pattern DNS =
      Pattern.compile(
          "(?=.{1,253}$)(?![0-9.]+$)(\\*\\.)?[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?"
              + "(\\.[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?)*");

  private HostNames() {}

  /**
   * Returns the hosts for a certificate: the given hosts, or without hosts this machine's loopback,
   * and {@code name} if this is a host name or an address.
   *
   * @throws CertificatesException if a host is neither a DNS name nor an IP address
   */
  static List<String> of(String name, List<String> hosts) throws CertificatesException {
    Set<String> names = new LinkedHashSet<>();
    if (hosts.isEmpty()) {
      names.addAll(LOOPBACK);
      if (isHost(name)) {
        names.add(name);
      }
    }
    for (String host : hosts) {
      if (!isHost(host)) {
        throw new CertificatesException(
            "--host must be a DNS name or an IP address, not '" + host + "'");
      }
      names.add(host);
    }
    return List.copyOf(names);
  }

  /** Returns the loopback and the addresses by which other machines reach this machine now. */
  static List<String> ofThisMachine() throws IOException {
    List<String> hosts = new ArrayList<>(LOOPBACK);
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
        .map(HostNames::text)
        .distinct()
        .forEach(hosts::add);
    return hosts;
  }

  static boolean isHost(String text) {
    return address(text).isPresent() || DNS.matcher(text).matches();
  }

  /** Returns the address, if the text is a numeric address, with all four numbers of IPv4. */
  static Optional<InetAddress> address(String text) {
    if (text.indexOf(':') < 0 && text.chars().filter(c -> c == '.').count() != 3) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Returns the numeric address, without the name of an interface. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int scope = address instanceof Inet4Address ? -1 : text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
