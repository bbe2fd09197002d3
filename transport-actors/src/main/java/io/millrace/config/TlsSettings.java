package io.millrace.config;

import java.util.List;

/**
 * Handshakes with certificates: PEM files, the names that peers may bear, the key exchange. Files
 * are named here and read when a node starts.
 *
 * @param authorities certificates of the authorities that vouch for peers; empty when not
 *     configured
 * @param certificate this node's certificate and the intermediate certificates up to an authority;
 *     empty when not configured
 * @param privateKey its private key, without a pass phrase; empty when not configured
 * @param revocations certificate revocation lists; empty without lists
 * @param peerNames names that any peer's certificate may have instead of the peer's own address
 * @param postQuantum whether ML-KEM-768 is added to the key exchange of TLS
 */
public record TlsSettings(
    String authorities,
    String certificate,
    String privateKey,
    String revocations,
    List<String> peerNames,
    PostQuantumUse postQuantum) {
  /** Copies the list. */
  public TlsSettings {
    peerNames = List.copyOf(peerNames);
  }

  static TlsSettings from(Section section, PostQuantumUse postQuantum) {
    return new TlsSettings(
        section.string("authorities"),
        section.string("certificate"),
        section.string("key"),
        section.string("revocations"),
        section.strings("peer-names"),
        postQuantum);
  }

  TlsSettings withFiles(String newAuthorities, String newCertificate, String newPrivateKey) {
    return new TlsSettings(
        newAuthorities, newCertificate, newPrivateKey, revocations, peerNames, postQuantum);
  }

  /** Whether the settings name any file. */
  public boolean isConfigured() {
    return !authorities.isEmpty() || !certificate.isEmpty() || !privateKey.isEmpty();
  }

  /** Whether handshakes with certificates add ML-KEM-768 to the key exchange of TLS. */
  public enum PostQuantumUse {
    /** Never. */
    OFF,
    /** With every peer that supports ML-KEM-768, too. */
    ON,
    /** With every peer; a peer without ML-KEM-768 is refused. */
    REQUIRED
  }
}
