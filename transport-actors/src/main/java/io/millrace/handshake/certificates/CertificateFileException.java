package io.millrace.handshake.certificates;

import java.io.Serial;
import java.nio.file.Path;

/** An unusable file of certificates or keys; never quotes the file's content. */
public final class CertificateFileException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  private final CertificateFiles.Role role;

  /** {@code problem} goes on from the name of the file: begins with a verb. */
  CertificateFileException(CertificateFiles.Role role, Path file, String problem) {
    super(file + " " + problem);
    this.role = role;
  }

  /** The role of the file. */
  public CertificateFiles.Role role() {
    return role;
  }
}
