package io.millrace.samples.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Makes certificates and revocation lists: EC P-256, signed by ECDSA with SHA-256. */
final class Issuer {
  /** Clocks of machines differ: a new certificate is valid on a machine with a late clock, too. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

  private static final int SERIAL_BYTES = 16;
  private static final int MARK_BYTES = 4;
  private static final String ORGANIZATION = "Millrace development";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final X509Certificate authority;
  private final PrivateKey key;

  /** Signs with the key of this authority. */
  Issuer(X509Certificate authority, PrivateKey key) {
    this.authority = authority;
    this.key = key;
  }

  /** A certificate and its private key. */
  record Issued(X509Certificate certificate, PrivateKey key) {
    @Override
    public String toString() {
      return "Issued[" + certificate.getSubjectX500Principal() + ", key redacted]";
    }
  }

  /** Makes an authority that vouches for itself. No two authorities have the same name. */
  static Issued authority(int days) throws GeneralSecurityException, IOException {
    byte[] mark = new byte[MARK_BYTES];
    RANDOM.nextBytes(mark);
    X500Principal subject = subject("Millrace development CA " + HexFormat.of().formatHex(mark));
    KeyPair pair = keyPair();
    Instant now = Instant.now();
    X509v3CertificateBuilder builder =
        builder(subject, now, now.plus(Duration.ofDays(days)), subject, pair.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    addKeyIds(builder, pair.getPublic(), pair.getPublic());
    return new Issued(certificate(builder, pair.getPrivate()), pair.getPrivate());
  }

  /**
   * Makes a node's certificate, for both sides of a handshake; not valid for longer than its
   * issuer.
   */
  Issued node(String name, List<String> hosts, int days)
      throws GeneralSecurityException, IOException {
    KeyPair pair = keyPair();
    Instant now = Instant.now();
    Instant wanted = now.plus(Duration.ofDays(days));
    Instant most = authority.getNotAfter().toInstant();
    X509v3CertificateBuilder builder =
        builder(
            authority.getSubjectX500Principal(),
            now,
            wanted.isAfter(most) ? most : wanted,
            subject(name),
            pair.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
    builder.addExtension(
        Extension.extendedKeyUsage,
        false,
        new ExtendedKeyUsage(
            new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth}));
    GeneralName[] names = hosts.stream().map(Issuer::generalName).toArray(GeneralName[]::new);
    builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
    addKeyIds(builder, pair.getPublic(), authority.getPublicKey());
    return new Issued(certificate(builder, key), pair.getPrivate());
  }

  /**
   * Returns the list {@code former} with a further certificate, in force as long as the authority
   * is.
   */
  X509CRL revoke(X509Certificate revoked, @Nullable X509CRL former)
      throws GeneralSecurityException, IOException {
    Date now = Date.from(Instant.now());
    X509v2CRLBuilder builder = new JcaX509v2CRLBuilder(authority.getSubjectX500Principal(), now);
    builder.setNextUpdate(authority.getNotAfter());
    BigInteger number = BigInteger.ONE;
    if (former != null) {
      number = number(former).add(BigInteger.ONE);
      if (former.getRevokedCertificates() != null) {
        for (X509CRLEntry entry : former.getRevokedCertificates()) {
          builder.addCRLEntry(
              entry.getSerialNumber(), entry.getRevocationDate(), CRLReason.unspecified);
        }
      }
    }
    builder.addCRLEntry(revoked.getSerialNumber(), now, CRLReason.unspecified);
    builder.addExtension(Extension.cRLNumber, false, new CRLNumber(number));
    builder.addExtension(
        Extension.authorityKeyIdentifier,
        false,
        new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(authority.getPublicKey()));
    return new JcaX509CRLConverter().getCRL(builder.build(signer(key)));
  }

  private static BigInteger number(X509CRL list) throws IOException {
    byte[] encoded = list.getExtensionValue(Extension.cRLNumber.getId());
    return encoded == null
        ? BigInteger.ZERO
        : ASN1Integer.getInstance(JcaX509ExtensionUtils.parseExtensionValue(encoded)).getValue();
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static X500Principal subject(String name) throws IOException {
    X500NameBuilder builder = new X500NameBuilder(BCStyle.INSTANCE);
    builder.addRDN(BCStyle.O, ORGANIZATION).addRDN(BCStyle.CN, name);
    return new X500Principal(builder.build().getEncoded());
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, Instant now, Instant until, X500Principal subject, PublicKey known) {
    byte[] serial = new byte[SERIAL_BYTES];
    RANDOM.nextBytes(serial);
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(1, serial),
        Date.from(now.minus(CLOCKS_DIFFER)),
        Date.from(until),
        subject,
        known);
  }

  private static void addKeyIds(
      X509v3CertificateBuilder builder, PublicKey known, PublicKey ofIssuer)
      throws GeneralSecurityException, CertIOException {
    JcaX509ExtensionUtils ids = new JcaX509ExtensionUtils();
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, ids.createSubjectKeyIdentifier(known));
    builder.addExtension(
        Extension.authorityKeyIdentifier, false, ids.createAuthorityKeyIdentifier(ofIssuer));
  }

  private static GeneralName generalName(String host) {
    return HostNames.address(host)
        .map(address -> new GeneralName(GeneralName.iPAddress, address.getHostAddress()))
        .orElseGet(() -> new GeneralName(GeneralName.dNSName, host));
  }

  private static X509Certificate certificate(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
  }

  private static ContentSigner signer(PrivateKey key) throws GeneralSecurityException {
    try {
      return new JcaContentSignerBuilder("SHA256withECDSA").build(key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }
}
