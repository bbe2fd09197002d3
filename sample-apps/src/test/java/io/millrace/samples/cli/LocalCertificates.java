package io.millrace.samples.cli;

import io.millrace.config.TransportSettings;
import io.millrace.samples.certs.CertificateDirectory;
import io.millrace.samples.certs.CertificatesException;
import java.io.IOException;
import java.nio.file.Path;

/** Certificates of the nodes of one test, in a folder of its own. */
final class LocalCertificates {
  private final CertificateDirectory directory;

  private LocalCertificates(CertificateDirectory directory) {
    this.directory = directory;
  }

  /** Makes them in {@code folder/certs}, if they are not there. */
  static LocalCertificates in(Path folder) {
    CertificateDirectory directory = new CertificateDirectory(folder.resolve("certs"));
    try {
      directory.makeMissing();
    } catch (IOException | CertificatesException e) {
      throw new AssertionError(e);
    }
    return new LocalCertificates(directory);
  }

  /** What {@code --certs} is to name. */
  String path() {
    return directory.path().toString();
  }

  /** Of a node in this process. */
  TransportSettings settings() {
    return TransportSettings.parse("")
        .withTls(
            directory.authority().toString(),
            directory.certificate(CertificateDirectory.USUAL_NODE).toString(),
            directory.key(CertificateDirectory.USUAL_NODE).toString());
  }
}
