package io.millrace.handshake.certificates;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's certificates are: PEM files.
 *
 * @param authorities the certificates of those who vouch for peers
 * @param certificate this node's certificate, then those between it and an authority
 * @param privateKey its private key, without a pass phrase
 * @param revocations revocation lists of the authorities, or null for none
 */
public record CertificateFiles(
    Path authorities, Path certificate, Path privateKey, @Nullable Path revocations) {
  /** What a file is for. */
  public enum Role {
    AUTHORITIES,
    CERTIFICATE,
    PRIVATE_KEY,
    REVOCATIONS
  }

  /** The file of a role; null if there is none. */
  @Nullable Path of(Role role) {
    return switch (role) {
      case AUTHORITIES -> authorities;
      case CERTIFICATE -> certificate;
      case PRIVATE_KEY -> privateKey;
      case REVOCATIONS -> revocations;
    };
  }
}
