package io.millrace.samples.certs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The certificates of a cluster in development, in one folder: {@code ca.pem} and {@code
 * ca-key.pem}, for each node {@code NAME.pem} and {@code NAME-key.pem}, and {@code revoked.pem}
 * once a certificate is revoked. An owner of {@code ca-key.pem} can make nodes; a node needs {@code
 * ca.pem} and its own two files.
 *
 * <p>Any number of processes and threads may make files at the same time: a lock lets each run
 * alone. No existing file is replaced unless asked for.
 */
public final class CertificateDirectory {
  /** The node whose certificate is made if missing. */
  public static final String USUAL_NODE = "localhost";

  /** The default validity of an authority, days. */
  public static final int AUTHORITY_DAYS = 1_825;

  /** The default validity of a node's certificate, days. */
  public static final int NODE_DAYS = 365;

  private static final int MOST_DAYS = 36_500;
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9:][a-zA-Z0-9:._-]{0,99}");
  private static final Set<String> TAKEN = Set.of("ca", "revoked");
  private static final String KEY_SUFFIX = "-key";

  private final Path directory;

  /** The folder, which need not exist yet. */
  public CertificateDirectory(Path directory) {
    this.directory = directory;
  }

  /** The folder. */
  public Path path() {
    return directory;
  }

  /** Returns the path of the authority's certificate. */
  public Path authority() {
    return directory.resolve("ca.pem");
  }

  /** Returns the path of the authority's private key, if nodes are made here. */
  public Path authorityKey() {
    return directory.resolve("ca-key.pem");
  }

  /**
   * Returns the path of this node's certificate, with the certificates between the node and the
   * authority.
   */
  public Path certificate(String name) {
    return directory.resolve(name + ".pem");
  }

  /** Returns the path of this node's private key. */
  public Path key(String name) {
    return directory.resolve(name + KEY_SUFFIX + ".pem");
  }

  /** Returns the path of the revocation list, present after the first revocation. */
  public Path revocations() {
    return directory.resolve("revoked.pem");
  }

  /**
   * Makes an authority.
   *
   * @param days the validity, days
   * @param force whether to replace an existing authority; certificates signed by the former
   *     authority are then worth nothing
   * @throws CertificatesException if an authority exists, or the days are out of range
   */
  public void makeAuthority(int days, boolean force) throws IOException, CertificatesException {
    requireDays(days);
    locked(
        () -> {
          requireAbsent(force, authority(), authorityKey());
          writeAuthority(days);
        });
  }

  /**
   * Makes a node's certificate.
   *
   * @param hosts DNS names and IP addresses by which peers call the node, and the address that the
   *     node tells its peers. Without hosts the certificate has this machine's loopback, and the
   *     name if this is a host's name
   * @param days the validity, days, at most as long as the authority
   * @param force whether to replace an existing certificate; the former certificate stays valid
   *     until its expiry or revocation
   * @throws CertificatesException if a certificate exists, the authority is missing, or an argument
   *     is wrong
   */
  public void makeNode(String name, List<String> hosts, int days, boolean force)
      throws IOException, CertificatesException {
    requireName(name);
    requireDays(days);
    List<String> names = HostNames.of(name, hosts);
    locked(
        () -> {
          requireAbsent(force, certificate(name), key(name));
          writeNode(name, names, days);
        });
  }

  /**
   * Makes the missing files of {@link #USUAL_NODE}: the authority, its certificate for the present
   * addresses of this machine, or nothing.
   *
   * @return whether something was made
   * @throws CertificatesException if the existing files cannot be completed
   */
  public boolean makeMissing() throws IOException, CertificatesException {
    if (hasNode(USUAL_NODE)) {
      return false;
    }
    List<Path> made = new ArrayList<>();
    locked(
        () -> {
          if (!Files.exists(authority()) && !Files.exists(authorityKey())) {
            requireAbsent(false, certificate(USUAL_NODE), key(USUAL_NODE));
            writeAuthority(AUTHORITY_DAYS);
            made.add(authority());
          }
          if (!hasNode(USUAL_NODE)) {
            requireAbsent(false, certificate(USUAL_NODE), key(USUAL_NODE));
            writeNode(USUAL_NODE, HostNames.ofThisMachine(), NODE_DAYS);
            made.add(certificate(USUAL_NODE));
          }
        });
    return !made.isEmpty();
  }

  private boolean hasNode(String name) {
    // The certificate appears last.
    return Files.exists(authority()) && Files.exists(key(name)) && Files.exists(certificate(name));
  }

  /**
   * Revokes a node's certificate, and deletes nothing: {@link #revocations} is to be copied to
   * every node.
   *
   * @throws CertificatesException if the certificate is revoked already, another authority's, or
   *     missing
   */
  public void revoke(String name) throws IOException, CertificatesException {
    requireName(name);
    locked(
        () -> {
          Issuer issuer = issuer();
          X509Certificate revoked = node(name);
          X509CRL former = Files.exists(revocations()) ? PemFiles.revocations(revocations()) : null;
          if (former != null && former.isRevoked(revoked)) {
            throw new CertificatesException(
                "the certificate in '" + certificate(name) + "' is revoked already");
          }
          PemFiles.write(revocations(), issuer.revoke(revoked, former));
        });
  }

  private X509Certificate node(String name) throws IOException, CertificatesException {
    X509Certificate node = first(certificate(name));
    if (!node.getIssuerX500Principal().equals(first(authority()).getSubjectX500Principal())) {
      throw new CertificatesException(
          "the certificate in '"
              + certificate(name)
              + "' is by another authority than '"
              + authority()
              + "'");
    }
    return node;
  }

  /**
   * Checks that a node can be started with these files.
   *
   * @return the node's certificate
   * @throws CertificatesException with the missing or expired file, and the command that makes the
   *     file
   */
  public X509Certificate requireNode(String name) throws IOException, CertificatesException {
    requireName(name);
    requirePresent(authority(), "millrace certs init --dir " + directory);
    String makes = "millrace certs node " + name + " --dir " + directory;
    requirePresent(certificate(name), makes);
    requirePresent(key(name), makes);
    X509Certificate node = first(certificate(name));
    requireInForce(certificate(name), node, makes + " --force");
    requireInForce(
        authority(), first(authority()), "millrace certs init --force --dir " + directory);
    return node;
  }

  private static void requireInForce(Path file, X509Certificate certificate, String makes)
      throws CertificatesException {
    Instant until = certificate.getNotAfter().toInstant();
    if (until.isBefore(Instant.now())) {
      throw new CertificatesException(
          "the certificate in '"
              + file
              + "' expired at "
              + until
              + "; '"
              + makes
              + "' makes another one");
    }
  }

  /**
   * Returns the files that may hold certificates, the authority's first; empty without the folder.
   */
  public List<Path> certificates() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      Stream<Path> nodes =
          files
              .filter(file -> isCertificate(String.valueOf(file.getFileName())))
              .filter(file -> !file.equals(authority()))
              .sorted();
      return Stream.concat(Stream.of(authority()).filter(Files::exists), nodes).toList();
    }
  }

  private boolean isCertificate(String file) {
    return file.endsWith(".pem")
        && !file.startsWith(".")
        && !file.endsWith(KEY_SUFFIX + ".pem")
        && !file.equals(String.valueOf(revocations().getFileName()));
  }

  /**
   * Returns the certificates in a PEM file, in its order, at least one.
   *
   * @throws CertificatesException if the file holds no certificate
   */
  public static List<X509Certificate> read(Path file) throws IOException, CertificatesException {
    return PemFiles.certificates(file);
  }

  private static X509Certificate first(Path file) throws IOException, CertificatesException {
    return read(file).getFirst();
  }

  private void writeAuthority(int days) throws IOException, GeneralSecurityException {
    Issuer.Issued made = Issuer.authority(days);
    PemFiles.write(authorityKey(), made.key());
    PemFiles.write(authority(), List.of(made.certificate()));
    // The former authority's list says nothing of the new authority's certificates.
    Files.deleteIfExists(revocations());
  }

  private void writeNode(String name, List<String> hosts, int days)
      throws IOException, GeneralSecurityException, CertificatesException {
    Issuer.Issued made = issuer().node(name, hosts, days);
    PemFiles.write(key(name), made.key());
    PemFiles.write(certificate(name), List.of(made.certificate(), first(authority())));
  }

  private Issuer issuer() throws IOException, CertificatesException {
    requirePresent(authority(), "millrace certs init --dir " + directory);
    if (!Files.exists(authorityKey())) {
      throw new CertificatesException(
          "there is no '"
              + authorityKey()
              + "' to sign with; only the folder of 'millrace certs init' has this key");
    }
    X509Certificate authority = first(authority());
    requireInForce(authority(), authority, "millrace certs init --force --dir " + directory);
    return new Issuer(authority, PemFiles.key(authorityKey()));
  }

  private static void requirePresent(Path file, String makes) throws CertificatesException {
    if (!Files.exists(file)) {
      throw new CertificatesException("there is no '" + file + "'; '" + makes + "' makes it");
    }
  }

  private static void requireAbsent(boolean force, Path... files) throws CertificatesException {
    for (Path file : files) {
      if (!force && Files.exists(file)) {
        throw new CertificatesException("'" + file + "' exists; --force replaces it");
      }
    }
  }

  private static void requireName(String name) throws CertificatesException {
    if (!NAME.matcher(name).matches() || TAKEN.contains(name) || name.endsWith(KEY_SUFFIX)) {
      throw new CertificatesException(
          "NAME must be letters, digits and . : _ - and neither ca, revoked nor end in -key,"
              + " not '"
              + name
              + "'");
    }
  }

  private static void requireDays(int days) throws CertificatesException {
    if (days < 1 || days > MOST_DAYS) {
      throw new CertificatesException("--days must be from 1 to " + MOST_DAYS + ", not " + days);
    }
  }

  /** Makes files. */
  private interface Making {
    void run() throws IOException, GeneralSecurityException, CertificatesException;
  }

  /** Makes files while no other process or thread makes files here. */
  private void locked(Making making) throws IOException, CertificatesException {
    Path lock = directory.resolve(".lock");
    // The system's lock belongs to the process, so its threads need another lock.
    synchronized (CertificateDirectory.class) {
      Files.createDirectories(directory, OWNER_ONLY);
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        making.run();
      } catch (GeneralSecurityException e) {
        throw new CertificatesException("this JDK makes no such certificate: " + e.getMessage(), e);
      }
    }
  }
}
