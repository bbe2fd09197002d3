package io.millrace.handshake.certificates;

import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;

/** The content of a node's files at a moment, usable together. Immutable, any thread. */
public final class NodeCertificates {
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
    requireAuthorities(authorities, files.authorities());
    List<X509Certificate> held =
        new PemFile(CertificateFiles.Role.CERTIFICATE, files.certificate()).certificates();
    PemFile.Own own =
        new PemFile(CertificateFiles.Role.PRIVATE_KEY, files.privateKey())
            .keyOf(held, files.certificate());
    List<X509Certificate> chain = CertificateOrder.of(own.certificate(), held);
    List<X509CRL> revocations =
        files.revocations() == null
            ? List.of()
            : new PemFile(CertificateFiles.Role.REVOCATIONS, files.revocations()).revocations();
    return new NodeCertificates(chain, own.key(), new ChainCheck(authorities, revocations));
  }

  /** Whatever signs for a peer is an authority, and in force: a mistake is told at once. */
  private static void requireAuthorities(List<X509Certificate> authorities, Path file)
      throws CertificateFileException {
    for (X509Certificate each : authorities) {
      String problem = ChainCheck.problemOfAuthority(each);
      if (problem != null) {
        throw new CertificateFileException(
            CertificateFiles.Role.AUTHORITIES,
            file,
            "holds the certificate " + ChainCheck.name(each) + ", which " + problem);
      }
    }
  }

  /** The node's certificate, then the intermediate certificates up to an authority. */
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

  /** The owner of the certificate, the issuer and the end date; no secret. */
  public String description() {
    return ChainCheck.describe(chain.getFirst());
  }

  @Override
  public String toString() {
    return "NodeCertificates[" + description() + ", key redacted]";
  }
}
