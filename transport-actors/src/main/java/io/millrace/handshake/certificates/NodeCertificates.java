package io.millrace.handshake.certificates;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.List;

/** What a node's files held at one moment, all of it usable together. Immutable, any thread. */
public final class NodeCertificates {
  private static final int PROBE_BYTES = 32;

  private final List<X509Certificate> chain;
  private final PrivateKey key;
  private final ChainCheck check;

  private NodeCertificates(List<X509Certificate> chain, PrivateKey key, ChainCheck check) {
    this.chain = chain;
    this.key = key;
    this.check = check;
  }

  static NodeCertificates read(CertificateFiles files) throws CertificateFileException {
    List<X509Certificate> authorities =
        new PemFile(CertificateFiles.Role.AUTHORITIES, files.authorities()).certificates();
    List<X509Certificate> chain =
        new PemFile(CertificateFiles.Role.CERTIFICATE, files.certificate()).certificates();
    PublicKey known = chain.getFirst().getPublicKey();
    PrivateKey key =
        new PemFile(CertificateFiles.Role.PRIVATE_KEY, files.privateKey())
            .privateKey(known.getAlgorithm());
    if (!belongTogether(key, known)) {
      throw new CertificateFileException(
          CertificateFiles.Role.PRIVATE_KEY,
          files.privateKey(),
          "holds another key than that of the certificate in " + files.certificate());
    }
    List<X509CRL> revocations =
        files.revocations() == null
            ? List.of()
            : new PemFile(CertificateFiles.Role.REVOCATIONS, files.revocations()).revocations();
    return new NodeCertificates(chain, key, new ChainCheck(authorities, revocations));
  }

  private static boolean belongTogether(PrivateKey key, PublicKey known) {
    if (key instanceof RSAKey one && known instanceof RSAKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    byte[] probe = new byte[PROBE_BYTES];
    new SecureRandom().nextBytes(probe);
    try {
      String kind = key.getAlgorithm();
      Signature signature = Signature.getInstance(kind.equals("EC") ? "SHA256withECDSA" : kind);
      signature.initSign(key);
      signature.update(probe);
      byte[] signed = signature.sign();
      signature.initVerify(known);
      signature.update(probe);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** The node's certificate, then those between it and an authority. */
  public List<X509Certificate> chain() {
    return chain;
  }

  /** The private key of the first certificate; never to be printed. */
  public PrivateKey privateKey() {
    return key;
  }

  /** Judges chains of peers by this node's authorities. */
  public ChainCheck check() {
    return check;
  }

  /** Whose certificate it is, who vouches for it and until when; no secret. */
  public String description() {
    return ChainCheck.describe(chain.getFirst());
  }

  @Override
  public String toString() {
    return "NodeCertificates[" + description() + ", key redacted]";
  }
}
