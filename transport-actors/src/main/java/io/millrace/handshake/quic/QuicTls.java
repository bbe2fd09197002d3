package io.millrace.handshake.quic;

import io.millrace.crypto.HandshakeException;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.KeyAgreement;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateReload;
import io.millrace.handshake.certificates.NodeCertificates;
import io.millrace.handshake.certificates.NodeKeys;
import io.millrace.handshake.certificates.PeerTrust;
import io.netty.handler.codec.quic.BoringSSLKeylog;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslContextBuilder;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.handler.ssl.ClientAuth;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a handshaker's connections: certificates of both sides, checked by the JDK, TLS 1.3 alone,
 * one protocol name, no session is resumed, no early data.
 *
 * <p><b>The key log.</b> Netty has no call for the TLS exporter. Netty's public key log hook, meant
 * for debuggers, delivers the exporter secret, and the traffic secrets of the connection as well.
 * This class keeps the exporter secret alone, in an array that is overwritten once the path secret
 * is derived, and drops every other line unread. Nothing is logged or written. But the lines reach
 * Java as strings, which nobody can overwrite: until the collector reuses their memory, a reader of
 * this process's heap finds the exporter secret and the traffic secrets of ended handshakes. The
 * traffic secrets protect adverts only. The exporter secret yields the path secret, so that the
 * keys of a closed path are forgotten later than with the provider {@code tls}.
 *
 * <p>Event loop thread only.
 */
final class QuicTls implements BoringSSLKeylog {
  /** The key types by which Netty chooses certificates. */
  private static final Set<String> KEYS = Set.of("RSA", "EC");

  private final CertificateCredentials credentials;
  private final PostQuantum policy;
  private final Consumer<CertificateReload> onReload;
  private final IdentityHashMap<SSLEngine, TlsFacts> byEngine = new IdentityHashMap<>();
  private @Nullable Contexts latest;

  /** Netty's contexts for a state of the certificates. */
  private record Contexts(NodeCertificates of, QuicSslContext server, QuicSslContext client) {}

  /**
   * TLS by these credentials, which are read again after each change.
   *
   * @param policy decides the application protocols
   * @param onReload told of changed credentials
   */
  QuicTls(
      CertificateCredentials credentials,
      PostQuantum policy,
      Consumer<CertificateReload> onReload) {
    this.credentials = credentials;
    this.policy = policy;
    this.onReload = onReload;
  }

  private Contexts contextsOf(NodeCertificates certificates) {
    NodeKeys key = new NodeKeys(certificates);
    String[] protocols = KeyAgreement.protocols(policy).toArray(String[]::new);
    QuicSslContext server =
        QuicSslContextBuilder.forServer(key, null)
            .trustManager(new Judge())
            .clientAuth(ClientAuth.REQUIRE)
            .applicationProtocols(protocols)
            .earlyData(false)
            .keylog(this)
            .build();
    QuicSslContext client =
        QuicSslContextBuilder.forClient()
            .keyManager(key, null)
            .trustManager(new Judge())
            // The judge checks names.
            .endpointIdentificationAlgorithm(null)
            .applicationProtocols(protocols)
            .earlyData(false)
            .keylog(this)
            .build();
    return new Contexts(certificates, server, client);
  }

  /**
   * Prepares the first handshake.
   *
   * @throws HandshakeException if Netty cannot use this node's key
   */
  void prepare() throws HandshakeException {
    String problem = problem(credentials.current(onReload));
    if (problem != null) {
      throw new HandshakeException(problem, null);
    }
    var _ = contexts();
  }

  private static @Nullable String problem(NodeCertificates certificates) {
    String algorithm = certificates.privateKey().getAlgorithm();
    return KEYS.contains(algorithm)
        ? null
        : "the handshake quic needs a private key of RSA or EC, not " + algorithm;
  }

  /** The contexts of the present certificates, or of the last certificates that Netty can use. */
  private Contexts contexts() {
    List<CertificateReload> reloads = new ArrayList<>();
    NodeCertificates now = credentials.current(reloads::add);
    Contexts known = latest;
    String problem = problem(now);
    if (known != null && problem != null) {
      reloads.forEach(each -> onReload.accept(new CertificateReload(false, problem)));
      return known;
    }
    if (known == null || known.of() != now) {
      known = contextsOf(now);
      latest = known;
    }
    reloads.forEach(onReload);
    return known;
  }

  /** The engine of a connection that a peer opens. */
  QuicSslEngine serverEngine(QuicChannel channel) {
    Contexts now = contexts();
    return register(channel, now, now.server().newEngine(channel.alloc()), new TlsFacts(null));
  }

  /**
   * The engine of a connection that this node opens. The engine gets no host and no port: without
   * them Netty has no name to keep a session under, so that no session is ever resumed.
   */
  QuicSslEngine clientEngine(QuicChannel channel) {
    Contexts now = contexts();
    TlsFacts facts = channel.attr(TlsFacts.KEY).get();
    return register(channel, now, now.client().newEngine(channel.alloc()), facts);
  }

  private QuicSslEngine register(
      QuicChannel channel, Contexts now, QuicSslEngine engine, TlsFacts facts) {
    NodeCertificates own = now.of();
    facts.begin(
        own,
        KeyAgreement.spoken(policy),
        new PeerTrust(own.check(), credentials.peerNames(), facts.called()));
    channel.attr(TlsFacts.KEY).set(facts);
    byEngine.put(engine, facts);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              byEngine.remove(engine);
              facts.close();
            });
    return engine;
  }

  @Override
  public void logKey(SSLEngine engine, String line) {
    TlsFacts facts = byEngine.get(engine);
    byte[] secret = TlsExporter.secretOf(line);
    if (facts != null && secret != null) {
      facts.onExporterSecret(secret);
    }
  }

  /** Gives each certificate to the judge of its connection. */
  private final class Judge extends X509ExtendedTrustManager {
    private void judge(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      TlsFacts facts = byEngine.get(engine);
      if (facts == null) {
        throw new CertificateException("its connection has ended");
      }
      facts.judge(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      judge(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
        throws CertificateException {
      judge(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      throw withoutEngine();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      throw withoutEngine();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw withoutEngine();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw withoutEngine();
    }

    private static CertificateException withoutEngine() {
      return new CertificateException("only connections of QUIC are judged here");
    }

    /** Empty: strangers are not told the authorities that this node trusts. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
