package io.millrace.engine;

import io.millrace.config.HandshakeSettings;
import io.millrace.config.SettingsException;
import io.millrace.config.TlsSettings;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateFileException;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.psk.PreSharedKey;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The credentials of a node, as its settings and its provider require. */
final class NodeCredentials {
  private static final String TLS = "millrace.handshake.tls.";

  /** For a third-party provider that gets its credentials elsewhere. */
  private static final class None implements HandshakeCredentials {}

  private NodeCredentials() {}

  /**
   * The credentials for a provider.
   *
   * @throws SettingsException naming an empty key, or an unusable file
   */
  static HandshakeCredentials of(String provider, HandshakeSettings settings) {
    return switch (provider) {
      case "psk" -> preSharedKey(settings);
      case "tls", "quic" -> certificates(provider, settings.tls());
      default -> whatThereIs(provider, settings);
    };
  }

  private static HandshakeCredentials whatThereIs(String provider, HandshakeSettings settings) {
    if (settings.tls().isConfigured()) {
      return certificates(provider, settings.tls());
    }
    return settings.psk().length > 0 ? preSharedKey(settings) : new None();
  }

  private static PreSharedKey preSharedKey(HandshakeSettings settings) {
    if (settings.psk().length == 0) {
      throw new SettingsException(
          "millrace.handshake.psk",
          "is empty; set 64 hexadecimal digits (32 bytes) or more, the same on all nodes");
    }
    return new PreSharedKey(settings.psk());
  }

  private static CertificateCredentials certificates(String provider, TlsSettings tls) {
    CertificateFiles files =
        new CertificateFiles(
            path("authorities", tls.authorities(), provider),
            path("certificate", tls.certificate(), provider),
            path("key", tls.privateKey(), provider),
            tls.revocations().isEmpty() ? null : path("revocations", tls.revocations(), provider));
    try {
      return CertificateCredentials.load(files, peerNames(tls));
    } catch (CertificateFileException e) {
      throw new SettingsException(TLS + key(e.role()), "names " + e.getMessage());
    }
  }

  private static PeerNames peerNames(TlsSettings tls) {
    try {
      return new PeerNames(tls.peerNames());
    } catch (IllegalArgumentException e) {
      throw new SettingsException(TLS + "peer-names", String.valueOf(e.getMessage()));
    }
  }

  private static Path path(String name, String text, String provider) {
    if (text.isEmpty()) {
      throw new SettingsException(
          TLS + name,
          "is empty; millrace.handshake.provider = "
              + provider
              + " needs authorities, a certificate and its key as PEM files, and a closed lab may"
              + " set the provider psk instead");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new SettingsException(TLS + name, "must be the path of a file");
    }
  }

  private static String key(CertificateFiles.Role role) {
    return switch (role) {
      case AUTHORITIES -> "authorities";
      case CERTIFICATE -> "certificate";
      case PRIVATE_KEY -> "key";
      case REVOCATIONS -> "revocations";
    };
  }
}
