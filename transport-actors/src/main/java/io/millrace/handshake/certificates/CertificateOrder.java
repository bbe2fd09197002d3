package io.millrace.handshake.certificates;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the certificates of a file into the order in which a peer is shown them, whatever their
 * order in the file. Stateless, any thread.
 */
final class CertificateOrder {
  private CertificateOrder() {}

  /**
   * A certificate, its issuer, and so on up to an authority, or as far as the issuers are held.
   *
   * @param held the certificates to choose from, in any order, perhaps with unrelated certificates
   */
  static List<X509Certificate> of(X509Certificate own, List<X509Certificate> held) {
    List<X509Certificate> chain = new ArrayList<>(List.of(own));
    List<X509Certificate> rest = new ArrayList<>(held);
    rest.remove(own);
    X509Certificate last = own;
    while (last != null && !isIssuer(last, last)) {
      X509Certificate below = last;
      last = rest.stream().filter(each -> isIssuer(each, below)).findFirst().orElse(null);
      if (last != null) {
        rest.remove(last);
        chain.add(last);
      }
    }
    return List.copyOf(chain);
  }

  private static boolean isIssuer(X509Certificate issuer, X509Certificate of) {
    if (!issuer.getSubjectX500Principal().equals(of.getIssuerX500Principal())) {
      return false;
    }
    try {
      of.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
