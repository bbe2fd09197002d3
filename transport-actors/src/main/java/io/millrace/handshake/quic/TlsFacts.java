package io.millrace.handshake.quic;

import io.millrace.handshake.certificates.NodeCertificates;
import io.millrace.handshake.certificates.PeerTrust;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The facts that TLS has told of a connection: the judgement of the peer's certificate, and the
 * exporter secret until the secret is taken or the connection ends. Event loop thread only.
 */
final class TlsFacts implements AutoCloseable {
  /** The attribute of a connection's facts. */
  static final AttributeKey<TlsFacts> KEY = AttributeKey.valueOf(TlsFacts.class, "facts");

  private final @Nullable InetSocketAddress called;
  private @Nullable PeerTrust judge;
  private @Nullable NodeCertificates own;
  private String spoken = "";
  private @Nullable X509Certificate peer;
  private byte @Nullable [] exporterSecret;
  private boolean exported;

  /**
   * Facts of a connection to an address that this node calls, or of a connection that a peer opened
   * (null).
   */
  TlsFacts(@Nullable InetSocketAddress called) {
    this.called = called;
  }

  /** The address that this node called, or null if the peer came by itself. */
  @Nullable InetSocketAddress called() {
    return called;
  }

  /**
   * Sets this node's certificates, its protocol, for a person, and the judge of the peer; once,
   * before TLS begins.
   */
  void begin(NodeCertificates shown, String protocol, PeerTrust trust) {
    own = shown;
    spoken = protocol;
    judge = trust;
  }

  /** The protocol that this node speaks, for a person. */
  String spoken() {
    return spoken;
  }

  /** The certificates that this node shows; after {@link #begin}. */
  NodeCertificates own() {
    return Objects.requireNonNull(own);
  }

  /**
   * Judges the peer by the peer's chain.
   *
   * @throws CertificateException if this node does not trust the peer
   */
  void judge(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
    PeerTrust trust = judge;
    if (trust == null) {
      throw new CertificateException("nobody can judge it");
    }
    if (called == null) {
      trust.checkClientTrusted(chain, type, engine);
    } else {
      trust.checkServerTrusted(chain, type, engine);
    }
    peer = chain[0];
  }

  /**
   * The certificate of the peer; null without a good judgement in this handshake. A resumed session
   * would have no certificate.
   */
  @Nullable X509Certificate peer() {
    return peer;
  }

  /** Why this node does not trust the peer, or null. */
  @Nullable String refusal() {
    PeerTrust trust = judge;
    return trust == null ? null : trust.refusal();
  }

  /** Takes over the array. */
  void onExporterSecret(byte[] secret) {
    close();
    exporterSecret = secret;
    exported = true;
  }

  /** Whether the facts have, or had, an exporter secret. */
  boolean hasExported() {
    return exported;
  }

  /** The exporter's bytes, or null without a secret (any more). Overwrites the secret. */
  byte @Nullable [] export(String label, byte[] context, int length) {
    byte[] secret = exporterSecret;
    if (secret == null) {
      return null;
    }
    try {
      return TlsExporter.export(secret, label, context, length);
    } finally {
      close();
    }
  }

  /** Overwrites the secret. Idempotent. */
  @Override
  public void close() {
    byte[] secret = exporterSecret;
    if (secret != null) {
      Arrays.fill(secret, (byte) 0);
      exporterSecret = null;
    }
  }
}
