package io.millrace.samples.cli;

import io.millrace.config.TransportSettings;
import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;
import java.nio.file.Path;

/** Certificates for the nodes of a test, in a folder of its own. */
final class LocalCertificates {
  private final CertificateDirectory directory;

  private LocalCertificates(CertificateDirectory directory) {
    this.directory = directory;
  }

  /** Makes the certificates in {@code folder/certs}, if missing. */
  static LocalCertificates in(Path folder) {
    CertificateDirectory directory = new CertificateDirectory(folder.resolve("certs"));
    try {
      directory.makeMissing();
    } catch (IOException | CertificatesException e) {
      throw new AssertionError(e);
    }
    return new LocalCertificates(directory);
  }

  /** Returns the folder for {@code --certs}. */
  String path() {
    return directory.path().toString();
  }

  /** Returns the settings of a node in this process. */
  TransportSettings settings() {
    return TransportSettings.parse("")
        .withTls(
            directory.authority().toString(),
            directory.certificate(CertificateDirectory.USUAL_NODE).toString(),
            directory.key(CertificateDirectory.USUAL_NODE).toString());
  }
}
