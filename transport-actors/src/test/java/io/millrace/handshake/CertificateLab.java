package io.millrace.handshake;

import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Nodes of a single authority, by a single provider. */
public final class CertificateLab implements AutoCloseable {
  public static final String HOST = "127.0.0.1";

  private static final long TIMEOUT_NS = 10_000_000_000L;

  public final TestCertificates authority = new TestCertificates("authority");
  private final AtomicInteger names = new AtomicInteger();
  private final List<HandshakeNode> opened = new ArrayList<>();
  private final Path folder;
  private final HandshakeProvider provider;

  public CertificateLab(Path folder, HandshakeProvider provider) {
    this.folder = folder;
    this.provider = provider;
  }

  /** The credentials of a node of this lab, in files of the node's own. */
  public CertificateCredentials credentials(TestCertificates.Issued own) throws Exception {
    return credentials(authority, own, PeerNames.NONE);
  }

  public CertificateCredentials credentials(
      TestCertificates trusted, TestCertificates.Issued own, PeerNames peerNames) throws Exception {
    CertificateFiles files =
        TestCertificates.write(folder.resolve("files" + names.getAndIncrement()), trusted, own);
    return CertificateCredentials.load(files, peerNames);
  }

  /** A sound node. */
  public HandshakeNode node(String name) throws Exception {
    return node(credentials(authority.issue(name, HOST)));
  }

  public HandshakeNode node(CertificateCredentials credentials) throws Exception {
    return node(credentials, TIMEOUT_NS);
  }

  public HandshakeNode node(CertificateCredentials credentials, long timeoutNs) throws Exception {
    return node(provider, credentials, timeoutNs);
  }

  /** A node by another provider, with other limits for example. */
  public HandshakeNode node(
      HandshakeProvider other, CertificateCredentials credentials, long timeoutNs)
      throws Exception {
    HandshakeNode node = new HandshakeNode(other, credentials, HOST, timeoutNs);
    opened.add(node);
    return node;
  }

  /** A node with this key exchange. */
  public HandshakeNode node(String name, PostQuantum postQuantum) throws Exception {
    HandshakeNode node =
        new HandshakeNode(
            provider,
            credentials(authority.issue(name, HOST)),
            HOST,
            TIMEOUT_NS,
            HandshakeLimits.DEFAULT,
            postQuantum);
    opened.add(node);
    return node;
  }

  @Override
  public void close() {
    opened.forEach(HandshakeNode::close);
  }
}
