package io.millrace.handshake.tls;

import io.millrace.crypto.HandshakeLimits;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.HandshakeNode;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Nodes of a single authority, and clients of TLS outside the cluster. */
final class TlsLab implements AutoCloseable {
  static final String HOST = "127.0.0.1";
  static final long TIMEOUT_NS = 10_000_000_000L;

  final TestCertificates authority = new TestCertificates("authority");

  /** The number of node certificates that clients of the JDK have judged. */
  final AtomicInteger judged = new AtomicInteger();

  private final AtomicInteger names = new AtomicInteger();
  private final List<HandshakeNode> opened = new ArrayList<>();
  private final Path folder;

  TlsLab(Path folder) {
    this.folder = folder;
  }

  /** The credentials of a node of this lab, in files of the node's own. */
  CertificateCredentials credentials(TestCertificates.Issued own) throws Exception {
    return credentials(authority, own, PeerNames.NONE);
  }

  CertificateCredentials credentials(
      TestCertificates trusted, TestCertificates.Issued own, PeerNames peerNames) throws Exception {
    CertificateFiles files =
        TestCertificates.write(folder.resolve("files" + names.getAndIncrement()), trusted, own);
    return CertificateCredentials.load(files, peerNames);
  }

  /** A sound node. */
  HandshakeNode node(String name) throws Exception {
    return node(credentials(authority.issue(name, HOST)));
  }

  HandshakeNode node(CertificateCredentials credentials) throws Exception {
    return node(credentials, TIMEOUT_NS, TlsLimits.DEFAULT);
  }

  HandshakeNode node(CertificateCredentials credentials, long timeoutNs, TlsLimits limits)
      throws Exception {
    HandshakeNode node = new HandshakeNode(new TlsProvider(limits), credentials, HOST, timeoutNs);
    opened.add(node);
    return node;
  }

  /** A sound node with a bound on the rate of connections. */
  HandshakeNode node(HandshakeLimits limits) throws Exception {
    HandshakeNode node =
        new HandshakeNode(
            new TlsProvider(),
            credentials(authority.issue("slow", HOST)),
            HOST,
            TIMEOUT_NS,
            limits);
    opened.add(node);
    return node;
  }

  /** A context of the JDK with the usual managers; without a certificate if {@code own} is null. */
  SSLContext context(TestCertificates.@Nullable Issued own) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        own == null ? new KeyManager[0] : keyManagers(own),
        new TrustManager[] {counted((X509TrustManager) trust.getTrustManagers()[0])},
        null);
    return context;
  }

  /**
   * Counts the nodes that a client of the JDK has judged: a client does not judge a resumed
   * session's node.
   */
  private X509TrustManager counted(X509TrustManager usual) {
    return new X509TrustManager() {
      @Override
      public void checkClientTrusted(X509Certificate[] chain, String how)
          throws CertificateException {
        usual.checkClientTrusted(chain, how);
      }

      @Override
      public void checkServerTrusted(X509Certificate[] chain, String how)
          throws CertificateException {
        judged.incrementAndGet();
        usual.checkServerTrusted(chain, how);
      }

      @Override
      public X509Certificate[] getAcceptedIssuers() {
        return usual.getAcceptedIssuers();
      }
    };
  }

  private static KeyManager[] keyManagers(TestCertificates.Issued own) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "own", own.keys().getPrivate(), new char[0], own.chain().toArray(new Certificate[0]));
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(keys, new char[0]);
    return factory.getKeyManagers();
  }

  /** A connection to a node, without a byte sent. */
  static Socket plain(HandshakeNode to) throws IOException {
    return new Socket(to.address().getAddress(), to.address().getPort());
  }

  /** A connection to a node ahead of the TLS handshake. */
  static SSLSocket socket(SSLContext context, HandshakeNode to, String version, String... protocols)
      throws Exception {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(to.address().getAddress(), to.address().getPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(new String[] {version});
    parameters.setApplicationProtocols(protocols);
    socket.setSSLParameters(parameters);
    socket.setSoTimeout(60_000);
    return socket;
  }

  /** A connection as a node would open the connection: TLS 1.3 and the protocol of this release. */
  static SSLSocket socket(SSLContext context, HandshakeNode to) throws Exception {
    return socket(context, to, "TLSv1.3", CertifiedExchange.APPLICATION_PROTOCOL);
  }

  @Override
  public void close() {
    opened.forEach(HandshakeNode::close);
  }
}
