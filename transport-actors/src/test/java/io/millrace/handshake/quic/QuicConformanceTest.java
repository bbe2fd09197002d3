package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handshake.CertifiedHandshakeConformance;
import io.millrace.handshake.HandshakeNode;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import org.junit.jupiter.api.Test;

class QuicConformanceTest extends CertifiedHandshakeConformance {
  @Override
  protected String name() {
    return "quic";
  }

  @Test
  void shouldGoOnWithTheFormerKeyWhileTheNextOneIsOfAKindThatNettyCannotUse() throws Exception {
    Path files = folder.resolve("kinds");
    TestCertificates.Issued first = lab.authority.issue("first", HOST);
    CertificateFiles written = TestCertificates.write(files, lab.authority, first);
    HandshakeNode server = lab.node(CertificateCredentials.load(written, PeerNames.NONE));
    KeyPair edwards = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    TestCertificates.write(files, lab.authority, lab.authority.issueTo("next", edwards, HOST));
    for (int i = 0; i < 2; i++) {
      lab.node("client" + i).connect(server);
    }
    assertEquals(
        "false: the handshake quic needs a private key of RSA or EC, not EdDSA",
        HandshakeNode.next(server.reloads));
    assertTrue(server.reloads.isEmpty(), "told once");
  }
}
