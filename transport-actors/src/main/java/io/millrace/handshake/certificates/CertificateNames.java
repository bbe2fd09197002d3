package io.millrace.handshake.certificates;

import io.millrace.wire.PeerText;
import java.net.InetAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that a certificate names: DNS names and IP addresses among the certificate's
 * alternative names, and nothing else. Immutable, any thread.
 */
public final class CertificateNames {
  private static final int DNS = 2;
  private static final int IP = 7;
  private static final String WILDCARD = "*.";

  private final List<String> dns;
  private final List<InetAddress> addresses;

  private CertificateNames(List<String> dns, List<InetAddress> addresses) {
    this.dns = List.copyOf(dns);
    this.addresses = List.copyOf(addresses);
  }

  /** The names of a certificate; empty if the names cannot be read. */
  public static CertificateNames of(X509Certificate certificate) {
    List<String> dns = new ArrayList<>();
    List<InetAddress> addresses = new ArrayList<>();
    for (List<?> name : alternatives(certificate)) {
      Object value = name.get(1);
      InetAddress address =
          name.get(0).equals(IP) && value instanceof String numbers ? literal(numbers) : null;
      if (address != null) {
        addresses.add(address);
      } else if (name.get(0).equals(DNS) && value instanceof String text) {
        dns.add(normal(text));
      }
    }
    return new CertificateNames(dns, addresses);
  }

  private static Collection<List<?>> alternatives(X509Certificate certificate) {
    try {
      Collection<List<?>> found = certificate.getSubjectAlternativeNames();
      return found == null ? List.of() : found;
    } catch (CertificateParsingException e) {
      return List.of();
    }
  }

  /** The address in a text, or null if the text is a name; asks no name service. */
  static @Nullable InetAddress literal(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Without regard to case and to the dot of the root. */
  static String normal(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** The DNS names, cleaned. */
  List<String> dnsNames() {
    return dns.stream().map(PeerText::name).toList();
  }

  /** The IP addresses, in numbers. */
  List<String> ipAddresses() {
    return addresses.stream().map(InetAddress::getHostAddress).toList();
  }

  /** Whether the certificate names this host, a name or an IP address. */
  public boolean cover(String host) {
    InetAddress address = literal(host);
    if (address != null) {
      return addresses.contains(address);
    }
    String name = normal(host);
    return dns.stream().anyMatch(pattern -> matches(pattern, name));
  }

  /** Whether a name or an address of the certificate equals this text, or matches this pattern. */
  boolean have(String pattern) {
    InetAddress address = literal(pattern);
    if (address != null) {
      return addresses.contains(address);
    }
    String wanted = normal(pattern);
    return dns.stream().anyMatch(name -> name.equals(wanted) || matches(wanted, name));
  }

  /** A star stands for exactly 1 label, the first, and at least 2 further labels follow. */
  private static boolean matches(String pattern, String name) {
    if (!pattern.startsWith(WILDCARD)) {
      return !name.isEmpty() && pattern.equals(name);
    }
    String rest = pattern.substring(1);
    int dot = name.indexOf('.');
    return dot > 0
        && name.indexOf('*') < 0
        && rest.indexOf('.', 1) > 0
        && name.substring(dot).equals(rest);
  }

  /** For people. */
  @Override
  public String toString() {
    List<String> all = new ArrayList<>(dnsNames());
    all.addAll(ipAddresses());
    return all.isEmpty() ? "no host" : PeerText.name(String.join(", ", all));
  }
}
