package io.millrace.handshake.tls;

import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateReload;
import io.millrace.handshake.certificates.NodeCertificates;
import io.millrace.handshake.certificates.NodeKeys;
import io.millrace.handshake.certificates.PeerTrust;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes an engine for each handshake, with the present certificates and a context of its own:
 * sessions are resumed from a context. Any thread; asks the file system.
 */
final class TlsEngines {
  private static final String VERSION = "TLSv1.3";
  private static final String[] CIPHERS = {
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
  };

  private final CertificateCredentials credentials;
  private final PostQuantum policy;
  private final SecureRandom random = new SecureRandom();

  /**
   * Engines of a node.
   *
   * @param policy decides the application protocols of the engines
   */
  TlsEngines(CertificateCredentials credentials, PostQuantum policy) {
    this.credentials = credentials;
    this.policy = policy;
  }

  /**
   * The engine of a handshake and the judge of its peer.
   *
   * @param offered the peer's offer in ALPN, once made, for a responder
   * @param policy whether this node does post-quantum handshakes
   */
  record Prepared(
      SSLEngine engine,
      PeerTrust trust,
      NodeCertificates own,
      Offered offered,
      PostQuantum policy) {}

  /** The application protocols of a peer. */
  static final class Offered {
    private volatile List<String> protocols = List.of();

    List<String> protocols() {
      return protocols;
    }
  }

  /**
   * An unused engine.
   *
   * @param called the host that this node calls, or null if the peer calls
   * @param onReload told on this thread if the files have changed
   */
  Prepared prepare(@Nullable InetSocketAddress called, Consumer<CertificateReload> onReload)
      throws GeneralSecurityException {
    NodeCertificates own = credentials.current(onReload);
    PeerTrust trust = new PeerTrust(own.check(), credentials.peerNames(), called);
    SSLContext context = SSLContext.getInstance(VERSION);
    context.init(new KeyManager[] {new NodeKeys(own)}, new TrustManager[] {trust}, random);
    SSLEngine engine = context.createSSLEngine();
    Offered offered = new Offered();
    engine.setUseClientMode(called != null);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {VERSION});
    parameters.setCipherSuites(CIPHERS);
    List<String> known = KeyAgreement.protocols(policy);
    parameters.setApplicationProtocols(known.toArray(String[]::new));
    if (called == null) {
      parameters.setNeedClientAuth(true);
      engine.setHandshakeApplicationProtocolSelector(
          (same, protocols) -> {
            offered.protocols = List.copyOf(protocols);
            return known.stream().filter(protocols::contains).findFirst().orElse(null);
          });
    }
    engine.setSSLParameters(parameters);
    return new Prepared(engine, trust, own, offered, policy);
  }
}
