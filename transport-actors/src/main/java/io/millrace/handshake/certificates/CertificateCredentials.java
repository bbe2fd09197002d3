package io.millrace.handshake.certificates;

import io.millrace.crypto.HandshakeCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The certificates by which a node authenticates itself and its peers. The files are read again
 * after each change; while the new files cannot be used, the former certificates stay in use, and
 * each such change is told once. Any thread, under a lock of its own; each call asks the file
 * system.
 */
public final class CertificateCredentials implements HandshakeCredentials {
  private final CertificateFiles files;
  private final PeerNames peerNames;
  private final Object lock = new Object();
  private List<Stamp> stamps;
  private NodeCertificates current;

  /** Distinguishes states of a file. */
  private record Stamp(long modifiedNs, long length, @Nullable Object key) {
    private static final Stamp NONE = new Stamp(0, 0, null);
  }

  private CertificateCredentials(
      CertificateFiles files, PeerNames peerNames, List<Stamp> stamps, NodeCertificates current) {
    this.files = files;
    this.peerNames = peerNames;
    this.stamps = stamps;
    this.current = current;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws CertificateFileException naming the first unusable file
   */
  public static CertificateCredentials load(CertificateFiles files, PeerNames peerNames)
      throws CertificateFileException {
    // Before the files are read: a change meanwhile is seen the next time.
    List<Stamp> stamps = stamps(files);
    return new CertificateCredentials(files, peerNames, stamps, NodeCertificates.read(files));
  }

  /**
   * The certificates of the files at present, or the last usable certificates.
   *
   * @param onReload told, on this thread, when the files have changed
   */
  public NodeCertificates current(Consumer<CertificateReload> onReload) {
    CertificateReload told;
    NodeCertificates result;
    synchronized (lock) {
      List<Stamp> now = stamps(files);
      if (now.equals(stamps)) {
        return current;
      }
      stamps = now;
      try {
        current = NodeCertificates.read(files);
        told = new CertificateReload(true, current.description());
      } catch (CertificateFileException e) {
        told = new CertificateReload(false, Objects.requireNonNull(e.getMessage()));
      }
      result = current;
    }
    onReload.accept(told);
    return result;
  }

  /** The names that any peer may bear instead of its own. */
  public PeerNames peerNames() {
    return peerNames;
  }

  private static List<Stamp> stamps(CertificateFiles files) {
    List<Stamp> stamps = new ArrayList<>();
    for (CertificateFiles.Role role : CertificateFiles.Role.values()) {
      Path file = files.of(role);
      stamps.add(file == null ? Stamp.NONE : stamp(file));
    }
    return stamps;
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(
          found.lastModifiedTime().to(TimeUnit.NANOSECONDS), found.size(), found.fileKey());
    } catch (IOException e) {
      return Stamp.NONE;
    }
  }

  @Override
  public String toString() {
    return "CertificateCredentials[" + files.certificate() + ", key redacted]";
  }
}
