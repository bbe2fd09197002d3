package io.millrace.samples.certs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRLException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Reads and writes PEM files. A file appears whole or not at all; only its owner can read a key's
 * file.
 */
final class PemFiles {
  private static final int LINE = 64;
  private static final String KEY = "PRIVATE KEY";
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rw-r--r--");

  private PemFiles() {}

  static void write(Path file, List<X509Certificate> chain)
      throws IOException, CertificateEncodingException {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : chain) {
      text.append(pem("CERTIFICATE", certificate.getEncoded()));
    }
    replace(file, text.toString().getBytes(StandardCharsets.US_ASCII), true);
  }

  static void write(Path file, X509CRL list) throws IOException, CRLException {
    replace(file, pem("X509 CRL", list.getEncoded()).getBytes(StandardCharsets.US_ASCII), true);
  }

  static void write(Path file, PrivateKey key) throws IOException {
    byte[] encoded = key.getEncoded();
    byte[] body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encode(encoded);
    byte[] head = ("-----BEGIN " + KEY + "-----\n").getBytes(StandardCharsets.US_ASCII);
    byte[] tail = ("\n-----END " + KEY + "-----\n").getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(head, head.length + body.length + tail.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    System.arraycopy(tail, 0, all, head.length + body.length, tail.length);
    try {
      replace(file, all, false);
    } finally {
      Arrays.fill(encoded, (byte) 0);
      Arrays.fill(body, (byte) 0);
      Arrays.fill(all, (byte) 0);
    }
  }

  private static String pem(String type, byte[] der) {
    String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
  }

  private static void replace(Path file, byte[] bytes, boolean isForAll) throws IOException {
    Path fresh =
        Files.createTempFile(
            file.toAbsolutePath().getParent(), "." + file.getFileName(), ".new", OWNER_ONLY);
    try {
      Files.write(fresh, bytes, StandardOpenOption.WRITE);
      if (isForAll) {
        Files.setPosixFilePermissions(fresh, READABLE);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  /** All certificates of a file, at least one. */
  static List<X509Certificate> certificates(Path file) throws IOException, CertificatesException {
    byte[] bytes = Files.readAllBytes(file);
    try {
      List<X509Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      throw new CertificatesException("'" + file + "' holds no certificate in PEM", e);
    }
    throw new CertificatesException("'" + file + "' holds no certificate in PEM");
  }

  static X509CRL revocations(Path file) throws IOException, CertificatesException {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509")
              .generateCRL(new ByteArrayInputStream(Files.readAllBytes(file)));
    } catch (CRLException | CertificateException e) {
      throw new CertificatesException("'" + file + "' holds no revocation list in PEM", e);
    }
  }

  /** Reads a private key as written by this class. */
  static PrivateKey key(Path file) throws IOException, CertificatesException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    String body =
        text.replace("-----BEGIN " + KEY + "-----", "").replace("-----END " + KEY + "-----", "");
    byte[] encoded = {};
    try {
      encoded = Base64.getMimeDecoder().decode(body);
      return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      // The cause may quote the key.
      throw new CertificatesException("'" + file + "' holds no EC private key in PEM (PKCS#8)");
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }
}
