package io.millrace.handshake.certificates;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The places of a node's certificates: PEM files.
 *
 * @param authorities the certificates of the authorities that vouch for peers
 * @param certificate this node's certificate, then the intermediate certificates up to an authority
 * @param privateKey the node's private key, without a pass phrase
 * @param revocations revocation lists of the authorities, or null for none
 */
public record CertificateFiles(
    Path authorities, Path certificate, Path privateKey, @Nullable Path revocations) {
  /** The purpose of a file. */
  public enum Role {
    AUTHORITIES,
    CERTIFICATE,
    PRIVATE_KEY,
    REVOCATIONS
  }

  /** The file of a role; null without a file. */
  @Nullable Path of(Role role) {
    return switch (role) {
      case AUTHORITIES -> authorities;
      case CERTIFICATE -> certificate;
      case PRIVATE_KEY -> privateKey;
      case REVOCATIONS -> revocations;
    };
  }
}
