package io.millrace.handshake.certificates;

import io.millrace.wire.PeerText;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXReason;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the chain of a peer by a set of authorities and revocation lists, with a clear reason for
 * a refusal. The check asks nobody over the network. Immutable, any thread.
 */
public final class ChainCheck {
  /** The required use of a certificate. */
  public enum Use {
    /** The use by a peer which began the handshake. */
    CLIENT("1.3.6.1.5.5.7.3.2", "begin handshakes (extended key usage clientAuth)"),
    /** The use by a peer which this node called. */
    SERVER("1.3.6.1.5.5.7.3.1", "be called (extended key usage serverAuth)");

    private final String oid;
    private final String text;

    Use(String oid, String text) {
      this.oid = oid;
      this.text = text;
    }
  }

  private static final String ANY_USE = "2.5.29.37.0";
  private static final int MAX_CHAIN = 8;
  private static final int KEY_CERT_SIGN = 5;

  private final Set<X509Certificate> authorities;
  private final List<X509CRL> revocations;

  ChainCheck(List<X509Certificate> authorities, List<X509CRL> revocations) {
    this.authorities = Set.copyOf(authorities);
    this.revocations = List.copyOf(revocations);
  }

  /**
   * Accepts a chain: the peer's certificate first, then the intermediate certificates up to an
   * authority.
   *
   * @throws CertificateException whose message is the reason, and whose cause is the validator's
   *     finding
   */
  public void require(List<X509Certificate> chain, Use use) throws CertificateException {
    if (chain.isEmpty()) {
      throw new CertificateException("it sent no certificate");
    }
    if (chain.size() > MAX_CHAIN) {
      throw new CertificateException("it sent more than " + MAX_CHAIN + " certificates");
    }
    X509Certificate first = chain.getFirst();
    try {
      validate(belowAuthority(chain), first);
    } catch (CertPathValidatorException e) {
      throw new CertificateException(reason(e, chain), e);
    } catch (GeneralSecurityException e) {
      throw new CertificateException(
          "its certificate "
              + name(first)
              + " cannot be judged: "
              + PeerText.name(String.valueOf(e.getMessage())),
          e);
    }
    requireUse(first, use);
  }

  /**
   * An authority that a peer sends is not judged: the authority is known, or the authority says
   * nothing.
   */
  private List<X509Certificate> belowAuthority(List<X509Certificate> chain) {
    for (int i = 0; i < chain.size(); i++) {
      if (authorities.contains(chain.get(i))) {
        return chain.subList(0, i);
      }
    }
    return chain;
  }

  /** Why a certificate is no authority now, from a verb on; null for an authority. */
  static @Nullable String problemOfAuthority(X509Certificate certificate) {
    boolean[] keyUse = certificate.getKeyUsage();
    if (certificate.getBasicConstraints() < 0) {
      return "is no authority: its basic constraints do not have CA:TRUE";
    }
    if (keyUse != null && !keyUse[KEY_CERT_SIGN]) {
      return "is no authority: its key usage does not have keyCertSign";
    }
    return problemOfDates(certificate);
  }

  private static @Nullable String problemOfDates(X509Certificate certificate) {
    try {
      certificate.checkValidity();
      return null;
    } catch (CertificateExpiredException e) {
      return "expired at " + certificate.getNotAfter().toInstant();
    } catch (CertificateNotYetValidException e) {
      return "is not valid before " + certificate.getNotBefore().toInstant();
    }
  }

  private void validate(List<X509Certificate> path, X509Certificate first)
      throws GeneralSecurityException {
    if (path.isEmpty()) {
      requireValidNow(first);
      return;
    }
    Set<TrustAnchor> anchors = new HashSet<>();
    for (X509Certificate authority : authorities) {
      // The validator does not look at the dates of an anchor.
      if (problemOfDates(authority) == null) {
        anchors.add(new TrustAnchor(authority, null));
      }
    }
    if (anchors.isEmpty()) {
      throw new CertPathValidatorException(
          "none is in force", null, null, -1, PKIXReason.NO_TRUST_ANCHOR);
    }
    PKIXParameters parameters = new PKIXParameters(anchors);
    CertPathValidator validator = CertPathValidator.getInstance("PKIX");
    parameters.setRevocationEnabled(!revocations.isEmpty());
    if (!revocations.isEmpty()) {
      PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
      checker.setOptions(
          EnumSet.of(
              PKIXRevocationChecker.Option.PREFER_CRLS, PKIXRevocationChecker.Option.NO_FALLBACK));
      parameters.addCertPathChecker(checker);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(revocations)));
    }
    validator.validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
  }

  private static void requireValidNow(X509Certificate pinned) throws CertPathValidatorException {
    try {
      pinned.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new CertPathValidatorException("expired", e, null, -1, BasicReason.EXPIRED);
    } catch (CertificateNotYetValidException e) {
      throw new CertPathValidatorException("too early", e, null, -1, BasicReason.NOT_YET_VALID);
    }
  }

  private static void requireUse(X509Certificate first, Use use) throws CertificateException {
    List<String> uses = first.getExtendedKeyUsage();
    if (uses != null && !uses.contains(use.oid) && !uses.contains(ANY_USE)) {
      throw new CertificateException(
          "its certificate " + name(first) + " may not be used to " + use.text);
    }
    boolean[] keyUse = first.getKeyUsage();
    if (keyUse != null && !keyUse[0]) {
      throw new CertificateException(
          "its certificate " + name(first) + " may not be used to sign (key usage)");
    }
  }

  /** A clause for a person about the refusal of a chain. */
  private String reason(CertPathValidatorException e, List<X509Certificate> chain) {
    X509Certificate first = chain.getFirst();
    int index = e.getIndex();
    X509Certificate bad =
        e.getCertPath() == null || index < 0
            ? first
            : (X509Certificate) e.getCertPath().getCertificates().get(index);
    String subject = (bad.equals(first) ? "its certificate " : "its authority ") + name(bad);
    CertPathValidatorException.Reason why = e.getReason();
    if (why == BasicReason.EXPIRED) {
      return subject + " expired at " + bad.getNotAfter().toInstant();
    }
    if (why == BasicReason.NOT_YET_VALID) {
      return subject + " is not valid before " + bad.getNotBefore().toInstant();
    }
    if (why == BasicReason.REVOKED) {
      return subject + " is revoked";
    }
    if (why == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
      return subject
          + " may be revoked: millrace.handshake.tls.revocations has no list in force by its"
          + " issuer";
    }
    if (why == BasicReason.ALGORITHM_CONSTRAINED) {
      return subject + " has a key or a signature that is too weak";
    }
    if (why == PKIXReason.NO_TRUST_ANCHOR || why == BasicReason.INVALID_SIGNATURE) {
      return untrusted(first, chain);
    }
    return subject + " is not acceptable: " + PeerText.name(String.valueOf(e.getMessage()));
  }

  private String untrusted(X509Certificate first, List<X509Certificate> chain) {
    for (X509Certificate each : authorities) {
      String problem = problemOfDates(each);
      boolean signs =
          chain.stream()
              .anyMatch(one -> one.getIssuerX500Principal().equals(each.getSubjectX500Principal()));
      if (problem != null && signs) {
        return "its certificate "
            + describe(first)
            + ", depends on the authority "
            + name(each)
            + " of this node, which "
            + problem;
      }
    }
    return first.getIssuerX500Principal().equals(first.getSubjectX500Principal())
        ? "its certificate " + name(first) + " is self-signed"
        : "no authority of this node vouches for its certificate " + describe(first);
  }

  /** The facts of a certificate, for an owner in search of a fault. */
  public static String describe(X509Certificate certificate) {
    Instant until = certificate.getNotAfter().toInstant();
    return name(certificate)
        + ", issued by "
        + PeerText.name(certificate.getIssuerX500Principal().getName())
        + ", valid until "
        + until;
  }

  /** The certificate's subject, shortened. */
  static String name(X509Certificate certificate) {
    return PeerText.name(certificate.getSubjectX500Principal().getName());
  }
}
