package io.millrace.handshake.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** A test authority, with EC keys, and the certificates that the authority issues. */
public final class TestCertificates {
  private static final AtomicLong SERIAL = new AtomicLong(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final X500Name name;
  private final KeyPair keys;
  private final X509Certificate certificate;

  /** An authority that vouches for itself. */
  public TestCertificates(String commonName) {
    name = new X500Name("CN=" + commonName);
    keys = newKeys();
    certificate = sign(new Order(name, keys, List.of()).asAuthority(), name, keys);
  }

  private TestCertificates(Order order, X500Name issuer, KeyPair issuerKeys) {
    name = order.subject();
    keys = order.keys();
    certificate = sign(order, issuer, issuerKeys);
  }

  /** An authority under this authority. */
  public TestCertificates subordinate(String commonName) {
    Order order = new Order(new X500Name("CN=" + commonName), newKeys(), List.of());
    return new TestCertificates(order.asAuthority(), name, keys);
  }

  /** A self-signed authority, valid from and until this number of days from now. */
  public static TestCertificates ofDays(String commonName, int fromDays, int untilDays) {
    X500Name self = new X500Name("CN=" + commonName);
    KeyPair own = newKeys();
    Order order =
        new Order(
            self,
            own,
            List.of(),
            now().plus(DAY.multipliedBy(fromDays)),
            now().plus(DAY.multipliedBy(untilDays)),
            true,
            null);
    return new TestCertificates(order, self, own);
  }

  /** A certificate with the certificate's private key. */
  public record Issued(List<X509Certificate> chain, KeyPair keys) {
    public X509Certificate certificate() {
      return chain.getFirst();
    }
  }

  /** The contents of a certificate to issue. */
  private record Order(
      X500Name subject,
      KeyPair keys,
      List<String> hosts,
      Instant from,
      Instant until,
      boolean authority,
      @Nullable KeyPurposeId use) {
    private Order(X500Name subject, KeyPair keys, List<String> hosts) {
      this(subject, keys, hosts, now().minus(DAY), now().plus(DAY), false, null);
    }

    private Order asAuthority() {
      return new Order(subject, keys, hosts, from, until, true, use);
    }
  }

  private static Instant now() {
    return Instant.now();
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For a node at these hosts, names or IP addresses; valid now. */
  public Issued issue(String commonName, String... hosts) {
    return issue(new Order(new X500Name("CN=" + commonName), newKeys(), List.of(hosts)));
  }

  /** For keys of another kind. */
  public Issued issueTo(String commonName, KeyPair theirs, String... hosts) {
    return issue(new Order(new X500Name("CN=" + commonName), theirs, List.of(hosts)));
  }

  /**
   * Issues a certificate valid from and until this number of days from now; the numbers may be
   * negative.
   */
  public Issued issueFor(String commonName, int fromDays, int untilDays, String... hosts) {
    return issue(
        new Order(
            new X500Name("CN=" + commonName),
            newKeys(),
            List.of(hosts),
            now().plus(DAY.multipliedBy(fromDays)),
            now().plus(DAY.multipliedBy(untilDays)),
            false,
            null));
  }

  /** Good for servers alone. */
  public Issued issueForServers(String commonName, String... hosts) {
    return issue(
        new Order(
            new X500Name("CN=" + commonName),
            newKeys(),
            List.of(hosts),
            now().minus(DAY),
            now().plus(DAY),
            false,
            KeyPurposeId.id_kp_serverAuth));
  }

  private Issued issue(Order order) {
    return new Issued(List.of(sign(order, name, keys)), order.keys());
  }

  /** A certificate that only its owner vouches for. */
  public static Issued selfSigned(String commonName, String... hosts) {
    KeyPair own = newKeys();
    X500Name name = new X500Name("CN=" + commonName);
    return new Issued(List.of(sign(new Order(name, own, List.of(hosts)), name, own)), own);
  }

  /** The authority's own certificate. */
  public X509Certificate certificate() {
    return certificate;
  }

  private static X509Certificate sign(Order order, X500Name issuer, KeyPair issuerKeys) {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              BigInteger.valueOf(SERIAL.getAndIncrement()),
              Date.from(order.from()),
              Date.from(order.until()),
              order.subject(),
              order.keys().getPublic());
      builder.addExtension(
          Extension.basicConstraints, true, new BasicConstraints(order.authority()));
      if (!order.hosts().isEmpty()) {
        builder.addExtension(Extension.subjectAlternativeName, false, names(order.hosts()));
      }
      if (order.use() != null) {
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(order.use()));
      }
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer(issuerKeys)));
    } catch (IOException | CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GeneralNames names(List<String> hosts) {
    return new GeneralNames(hosts.stream().map(TestCertificates::name).toArray(GeneralName[]::new));
  }

  private static GeneralName name(String host) {
    try {
      return new GeneralName(GeneralName.iPAddress, InetAddress.ofLiteral(host).getHostAddress());
    } catch (IllegalArgumentException e) {
      return new GeneralName(GeneralName.dNSName, host);
    }
  }

  private static ContentSigner signer(KeyPair keys) {
    try {
      return new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
    } catch (OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A list in force that revokes these certificates, as PEM. */
  public String revocations(X509Certificate... revoked) {
    try {
      X509v2CRLBuilder builder = new X509v2CRLBuilder(name, Date.from(now().minus(DAY)));
      builder.setNextUpdate(Date.from(now().plus(DAY)));
      for (X509Certificate each : revoked) {
        builder.addCRLEntry(
            each.getSerialNumber(), Date.from(now().minus(DAY)), CRLReason.keyCompromise);
      }
      return pem("X509 CRL", builder.build(signer(keys)).getEncoded());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A PEM block. */
  public static String pem(String kind, byte[] encoded) {
    return "-----BEGIN "
        + kind
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  /** A certificate as PEM. */
  public static String pem(X509Certificate certificate) {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A private key as PEM. */
  public static String pem(KeyPair keys) {
    return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  /** Writes the three files of a node; replaces existing files, each file at once. */
  public static CertificateFiles write(Path folder, TestCertificates trusted, Issued own)
      throws IOException {
    Files.createDirectories(folder);
    Path authorities = replace(folder.resolve("authorities.pem"), pem(trusted.certificate));
    StringBuilder chain = new StringBuilder();
    own.chain().forEach(each -> chain.append(pem(each)));
    Path key = replace(folder.resolve("key.pem"), pem(own.keys()));
    Path certificate = replace(folder.resolve("certificate.pem"), chain.toString());
    return new CertificateFiles(authorities, certificate, key, null);
  }

  /** Replaces a file at once, as issuing tools do. */
  public static Path replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text, StandardCharsets.US_ASCII);
    return Files.move(
        next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
