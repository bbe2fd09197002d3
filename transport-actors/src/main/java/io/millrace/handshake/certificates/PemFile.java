package io.millrace.handshake.certificates;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Reads one PEM file, of a bounded size; its bytes are overwritten afterwards. */
final class PemFile {
  /** The longest file. */
  static final int MAX_BYTES = 16 << 20;

  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String KEY_END = "-----END PRIVATE KEY-----";

  private final CertificateFiles.Role role;
  private final Path path;

  PemFile(CertificateFiles.Role role, Path path) {
    this.role = role;
    this.path = path;
  }

  /** At least one certificate, in the order of the file. */
  List<X509Certificate> certificates() throws CertificateFileException {
    byte[] bytes = bytes();
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))) {
        found.add((X509Certificate) each);
      }
    } catch (GeneralSecurityException e) {
      throw problem("holds no certificate in PEM");
    }
    if (found.isEmpty()) {
      throw problem("holds no certificate in PEM");
    }
    return List.copyOf(found);
  }

  /** At least one list. */
  List<X509CRL> revocations() throws CertificateFileException {
    byte[] bytes = bytes();
    List<X509CRL> found = new ArrayList<>();
    try {
      for (CRL each :
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes))) {
        found.add((X509CRL) each);
      }
    } catch (GeneralSecurityException e) {
      throw problem("holds no revocation list in PEM");
    }
    if (found.isEmpty()) {
      throw problem("holds no revocation list in PEM");
    }
    return List.copyOf(found);
  }

  /** The private key, which must be of the kind {@code algorithm}. */
  PrivateKey privateKey(String algorithm) throws CertificateFileException {
    byte[] bytes = bytes();
    byte[] encoded = {};
    try {
      encoded = keyBytes(bytes);
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException e) {
      // The cause may quote the key.
      throw problem("holds no private key for the certificate, which has a key of " + algorithm);
    } finally {
      Arrays.fill(bytes, (byte) 0);
      Arrays.fill(encoded, (byte) 0);
    }
  }

  private byte[] keyBytes(byte[] file) throws CertificateFileException {
    int begin = indexOf(file, KEY_BEGIN, 0);
    if (begin < 0) {
      boolean other = indexOf(file, " PRIVATE KEY-----", 0) >= 0;
      throw problem(
          other
              ? "holds a private key of another form; write it as PKCS#8 without a pass phrase,"
                  + " with openssl pkcs8 -topk8 -nocrypt"
              : "holds no private key in PEM");
    }
    int from = begin + KEY_BEGIN.length();
    int end = indexOf(file, KEY_END, from);
    if (end < 0) {
      throw problem("holds a private key without an end");
    }
    byte[] text = Arrays.copyOfRange(file, from, end);
    try {
      return Base64.getMimeDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw problem("holds a private key that is not Base64");
    } finally {
      Arrays.fill(text, (byte) 0);
    }
  }

  private static int indexOf(byte[] bytes, String text, int from) {
    byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
    for (int at = from; at <= bytes.length - wanted.length; at++) {
      if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
        return at;
      }
    }
    return -1;
  }

  private byte[] bytes() throws CertificateFileException {
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw problem("is longer than 16 MiB");
      }
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw problem("does not exist");
    } catch (AccessDeniedException e) {
      throw problem("may not be read by this process");
    } catch (IOException e) {
      throw problem("cannot be read");
    }
  }

  private CertificateFileException problem(String problem) {
    return new CertificateFileException(role, path, problem);
  }
}
