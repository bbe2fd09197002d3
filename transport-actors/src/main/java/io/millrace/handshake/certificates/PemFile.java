package io.millrace.handshake.certificates;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PEM file, of a bounded size; the file's bytes are overwritten afterwards. The file may
 * hold blocks of other kinds as well, in any order: each reader takes its own kind.
 */
final class PemFile {
  /** The longest file. */
  static final int MAX_BYTES = 16 << 20;

  private static final Set<String> CERTIFICATES =
      Set.of("CERTIFICATE", "X509 CERTIFICATE", "PKCS7");
  private static final Set<String> LISTS = Set.of("X509 CRL", "CRL");

  private final CertificateFiles.Role role;
  private final Path path;

  PemFile(CertificateFiles.Role role, Path path) {
    this.role = role;
    this.path = path;
  }

  /** Makes objects of bytes. */
  private interface Parser<T> {
    List<T> parse(CertificateFactory factory, InputStream der) throws GeneralSecurityException;
  }

  /** At least one certificate, each once, in the order of the file. */
  List<X509Certificate> certificates() throws CertificateFileException {
    return all(
        "certificate",
        CERTIFICATES,
        (factory, der) -> {
          List<X509Certificate> found = new ArrayList<>();
          for (Certificate each : factory.generateCertificates(der)) {
            found.add((X509Certificate) each);
          }
          return found;
        });
  }

  /** At least 1 list. */
  List<X509CRL> revocations() throws CertificateFileException {
    return all(
        "revocation list",
        LISTS,
        (factory, der) -> {
          List<X509CRL> found = new ArrayList<>();
          for (CRL each : factory.generateCRLs(der)) {
            found.add((X509CRL) each);
          }
          return found;
        });
  }

  private <T> List<T> all(String kind, Set<String> labels, Parser<T> parser)
      throws CertificateFileException {
    // The file may hold a key, too.
    byte[] bytes = bytes();
    try {
      List<PemBlock> blocks = PemBlock.of(bytes);
      Set<T> found = new LinkedHashSet<>();
      int number = 0;
      for (PemBlock each : blocks) {
        if (labels.contains(each.label())) {
          number++;
          found.addAll(parsed(each, parser, kind, number));
        }
      }
      if (blocks.isEmpty()) {
        found.addAll(parser.parse(factory(), new ByteArrayInputStream(bytes)));
      }
      if (!found.isEmpty()) {
        return List.copyOf(found);
      }
    } catch (GeneralSecurityException e) {
      throw problem("holds no " + kind + " in PEM");
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
    throw problem("holds no " + kind + " in PEM");
  }

  private <T> List<T> parsed(PemBlock block, Parser<T> parser, String kind, int number)
      throws CertificateFileException {
    if (!block.ended()) {
      throw problem("holds a " + kind + " without an end: number " + number);
    }
    try {
      return parser.parse(factory(), new ByteArrayInputStream(block.der()));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw problem("holds a " + kind + " that is damaged: number " + number);
    }
  }

  private static CertificateFactory factory() throws CertificateException {
    return CertificateFactory.getInstance("X.509");
  }

  /** A certificate and its private key. */
  record Own(X509Certificate certificate, PrivateKey key) {}

  /**
   * The private key of a certificate among these.
   *
   * @param held at least 1 certificate
   * @param of the place of the certificates
   */
  Own keyOf(List<X509Certificate> held, Path of) throws CertificateFileException {
    byte[] bytes = bytes();
    try {
      List<PemBlock> keys = PemBlock.of(bytes).stream().filter(PrivateKeyForm::isKey).toList();
      if (keys.isEmpty()) {
        throw problem("holds no private key in PEM");
      }
      List<String> problems = new ArrayList<>();
      for (PemBlock each : keys) {
        Own own = own(each, held, of, problems);
        if (own != null) {
          return own;
        }
      }
      throw problem(
          problems.isEmpty()
              ? "holds no private key for the certificate, which has a key of "
                  + held.getFirst().getPublicKey().getAlgorithm()
              : problems.getFirst());
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private @Nullable Own own(
      PemBlock key, List<X509Certificate> held, Path of, List<String> problems) {
    String obstacle = PrivateKeyForm.obstacle(key, path.toString());
    if (obstacle != null) {
      problems.add(obstacle);
      return null;
    }
    for (X509Certificate each : held) {
      PrivateKey read = PrivateKeyForm.read(key, each.getPublicKey());
      if (read != null && PrivateKeyForm.belongTogether(read, each.getPublicKey())) {
        return new Own(each, read);
      }
      if (read != null) {
        problems.add("holds another key than that of the certificate in " + of);
      }
    }
    return null;
  }

  private byte[] bytes() throws CertificateFileException {
    if (Files.isDirectory(path)) {
      throw problem("is a directory");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        Arrays.fill(bytes, (byte) 0);
        throw problem("is longer than 16 MiB");
      }
      if (bytes.length == 0) {
        throw problem("is empty");
      }
      return bytes;
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
