package io.millrace.handshake.certificates;

import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Decides whether a certificate belongs to the host of a peer: the certificate names the host, or
 * has a name that the settings let any peer bear. Immutable, any thread; asks no name service.
 */
public final class PeerNames {
  /** No name but the host's own. */
  public static final PeerNames NONE = new PeerNames(List.of());

  private final List<String> allowed;

  /**
   * Names and patterns that any peer may bear.
   *
   * @throws IllegalArgumentException naming a text that is no DNS name, pattern or IP address
   */
  public PeerNames(List<String> allowed) {
    allowed.forEach(PeerNames::require);
    this.allowed = List.copyOf(allowed);
  }

  private static void require(String name) {
    String rest = name.startsWith("*.") ? name.substring(2) : name;
    boolean dns =
        !rest.isEmpty()
            && rest.chars()
                .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "-_.".indexOf(c) >= 0));
    boolean wide = name.startsWith("*.") && rest.indexOf('.') < 0;
    if (wide || !dns && CertificateNames.literal(name) == null) {
      throw new IllegalArgumentException(
          "must be DNS names, patterns such as *.db.example.org and IP addresses, not '"
              + name
              + "'");
    }
  }

  /**
   * Checks the peer at an address that this node called, as the address was written or in numbers.
   *
   * @throws CertificateException with a clear reason if the certificate is another host's
   */
  public void requireCalled(X509Certificate certificate, InetSocketAddress called)
      throws CertificateException {
    String written = called.getHostString();
    CertificateNames names = CertificateNames.of(certificate);
    boolean numbers =
        called.getAddress() != null && names.cover(called.getAddress().getHostAddress());
    if (!numbers && !names.cover(written) && !isAllowed(names)) {
      throw otherHost(certificate, names, written);
    }
  }

  /**
   * Checks a peer by its own name for itself.
   *
   * @param identity the peer's handshake address, {@code host:port}
   * @throws CertificateException with a clear reason if the certificate is another host's
   */
  public void requireIdentity(X509Certificate certificate, String identity)
      throws CertificateException {
    String host = host(identity);
    CertificateNames names = CertificateNames.of(certificate);
    if (!names.cover(host) && !isAllowed(names)) {
      throw otherHost(certificate, names, host);
    }
  }

  /** The host of {@code host:port}, without the brackets of IPv6. */
  public static String host(String identity) {
    int colon = identity.lastIndexOf(':');
    String host = colon < 0 ? identity : identity.substring(0, colon);
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private boolean isAllowed(CertificateNames names) {
    return allowed.stream().anyMatch(names::have);
  }

  private static CertificateException otherHost(
      X509Certificate certificate, CertificateNames names, String host) {
    return new CertificateException(
        "its certificate " + ChainCheck.name(certificate) + " is for " + names + ", not " + host);
  }
}
