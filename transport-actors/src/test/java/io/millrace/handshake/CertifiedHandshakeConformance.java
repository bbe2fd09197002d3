package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Further duties of every provider of handshakes by certificates: each faulty peer gets a clear
 * reason, the refusing node gets the reason, too, and no other peer suffers.
 */
public abstract class CertifiedHandshakeConformance extends HandshakeConformance {
  protected static final String HOST = CertificateLab.HOST;

  protected CertificateLab lab;
  private HandshakeNode server;
  @TempDir protected Path folder;

  @Override
  protected HandshakeCredentials credentials() throws Exception {
    return lab.credentials(lab.authority.issue("node", HOST));
  }

  @Override
  protected HandshakeCredentials strangersCredentials() throws Exception {
    TestCertificates others = new TestCertificates("others");
    return lab.credentials(others, others.issue("stranger", HOST), PeerNames.NONE);
  }

  @BeforeEach
  void openLab() throws Exception {
    lab = new CertificateLab(folder, provider());
    server = lab.node("server");
  }

  /** Whatever came before, an honest peer connects. */
  @AfterEach
  void closeLab() throws Exception {
    server.paths.clear();
    lab.node("good").connect(server);
    HandshakeNode.next(server.paths);
    assertTrue(server.faults.isEmpty(), server.faults.toString());
    assertTrue(server.paths.isEmpty());
    lab.close();
  }

  @Test
  void shouldProveTheKeyOfTheCertificateAndNotItsNames() throws Exception {
    TestCertificates.Issued first = lab.authority.issue("x", HOST);
    TestCertificates.Issued second = lab.authority.issue("x", HOST);
    for (TestCertificates.Issued issued : List.of(first, second)) {
      lab.node(lab.credentials(issued)).connect(server);
      assertEquals(
          HandshakeOutcome.ProvedIdentity.ofKey(issued.certificate().getPublicKey()),
          HandshakeNode.next(server.paths).peer().identity());
    }
  }

  /**
   * The fault of a certificate.
   *
   * @param reason the reason in the words of the judging side
   */
  record Wrong(String name, Maker maker, String reason) {
    interface Maker {
      TestCertificates.Issued make(TestCertificates authority);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Wrong> wrong() {
    return Stream.of(
        new Wrong(
            "another authority",
            _ -> new TestCertificates("stranger").issue("x", HOST),
            "no authority of this node vouches for its certificate CN=x, issued by CN=stranger"),
        new Wrong(
            "an authority of the same name",
            _ -> new TestCertificates("authority").issue("x", HOST),
            "no authority of this node vouches for its certificate CN=x, issued by CN=authority"),
        new Wrong(
            "expired",
            authority -> authority.issueFor("x", -3, -1, HOST),
            "its certificate CN=x expired at "),
        new Wrong(
            "not yet valid",
            authority -> authority.issueFor("x", 1, 3, HOST),
            "its certificate CN=x is not valid before "),
        new Wrong(
            "self-signed",
            _ -> TestCertificates.selfSigned("x", HOST),
            "its certificate CN=x is self-signed"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void shouldRefuseTheCertificateOfAPeerThatCalls(Wrong wrong) throws Exception {
    HandshakeNode client = lab.node(lab.credentials(wrong.maker().make(lab.authority)));

    HandshakeOutcome.Failed failed = client.fail(server.address());

    String refusal = HandshakeNode.next(server.refusals);
    assertTrue(refusal.startsWith(wrong.reason()), refusal);
    assertTrue(
        failed.reason().startsWith("the peer does not accept this node's certificate ("),
        failed.reason());
    assertTrue(failed.reason().contains("CN=x, issued by"), failed.reason());
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, failed.cause());
    assertTrue(server.refusals.isEmpty(), "told once");
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void shouldRefuseTheCertificateOfAPeerThatIsCalled(Wrong wrong) throws Exception {
    HandshakeNode bad = lab.node(lab.credentials(wrong.maker().make(lab.authority)));

    HandshakeOutcome.Failed failed = server.fail(bad.address());

    assertTrue(
        failed.reason().startsWith("this node does not accept the peer: " + wrong.reason()),
        failed.reason());
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, failed.cause());
    String refusal = HandshakeNode.next(bad.refusals);
    assertTrue(refusal.startsWith("it does not accept this node's certificate ("), refusal);
    assertTrue(refusal.contains("CN=x, issued by"), refusal);
    assertTrue(bad.refusals.isEmpty(), "told once");
  }

  /** Rule H-13. */
  @ParameterizedTest
  @CsvSource({
    "ON, ON, true",
    "REQUIRED, ON, true",
    "ON, REQUIRED, true",
    "OFF, ON, false",
    "ON, OFF, false",
    "OFF, OFF, false"
  })
  void shouldAddMlKemWhereBothSidesDoIt(PostQuantum here, PostQuantum there, boolean both)
      throws Exception {
    HandshakeNode client = lab.node("client", here);
    HandshakeNode called = lab.node("called", there);

    HandshakeOutcome.Established ours = client.connect(called);
    HandshakeOutcome.Established theirs = HandshakeNode.next(called.paths);

    assertEquals(both, ours.secret().isPostQuantum());
    assertEquals(both, theirs.secret().isPostQuantum());
    assertArrayEquals(ours.secret().copy(), theirs.secret().copy());
    assertArrayEquals(client.advert(), theirs.remoteAdvert());
    assertArrayEquals(called.advert(), ours.remoteAdvert());
  }

  /** Rule H-13. */
  @ParameterizedTest
  @CsvSource({"REQUIRED, OFF", "OFF, REQUIRED"})
  void shouldRefuseAPeerWithoutMlKemWhereItIsRequired(PostQuantum here, PostQuantum there)
      throws Exception {
    HandshakeNode client = lab.node("client", here);
    HandshakeNode called = lab.node("called", there);

    HandshakeOutcome.Failed failed = client.fail(called.address());

    assertEquals(HandshakeFailure.UNSUPPORTED_VERSION, failed.cause());
    assertTrue(failed.reason().contains("millrace.handshake.post-quantum"), failed.reason());
    String refusal = HandshakeNode.next(called.refusals);
    assertTrue(refusal.contains("millrace.handshake.post-quantum"), refusal);
    assertTrue(called.paths.isEmpty());
  }

  @Test
  void shouldRefuseAPeerThatCallsItselfAnother() throws Exception {
    HandshakeNode client = lab.node("client");
    client.callItself("127.0.0.77");

    HandshakeOutcome.Failed failed = client.fail(server.address());

    String reason = "its certificate CN=client is for 127.0.0.1, not 127.0.0.77";
    assertEquals(reason, HandshakeNode.next(server.refusals));
    assertEquals(
        "the peer does not accept this node's certificate for its address: " + reason,
        failed.reason());
    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, failed.cause());
  }

  @Test
  void shouldRefuseACalledPeerThatCallsItselfAnother() throws Exception {
    HandshakeNode other = lab.node("other");
    other.callItself("127.0.0.77");

    HandshakeOutcome.Failed failed = server.fail(other.address());

    assertEquals(HandshakeFailure.WRONG_CREDENTIALS, failed.cause());
    assertTrue(
        failed.reason().endsWith("its certificate CN=other is for 127.0.0.1, not 127.0.0.77"),
        failed.reason());
  }

  @Test
  void shouldRefuseACertificateThatIsForServersAlone() throws Exception {
    HandshakeNode client = lab.node(lab.credentials(lab.authority.issueForServers("x", HOST)));

    client.fail(server.address());

    assertEquals(
        "its certificate CN=x may not be used to begin handshakes (extended key usage clientAuth)",
        HandshakeNode.next(server.refusals));
    // The client connects by an allowed name.
    server.connect(client);
  }

  @Test
  void shouldRefuseWhatIsNoAdvert() throws Exception {
    HandshakeNode client = lab.node("client");
    byte[] damaged = client.advert();
    damaged[damaged.length - 3] = (byte) 0xFF;

    HandshakeOutcome.Failed failed =
        assertInstanceOf(
            HandshakeOutcome.Failed.class, client.begin(server.address(), damaged).get());

    assertEquals("its advert cannot be understood", HandshakeNode.next(server.refusals));
    assertEquals(HandshakeFailure.MALFORMED, failed.cause());
    assertEquals(
        "the peer does not understand this node's advert: its advert cannot be understood",
        failed.reason());
  }

  @Test
  void shouldUseWhatTheFilesHoldAtTheNextHandshake() throws Exception {
    Path files = folder.resolve("changing");
    CertificateFiles written =
        TestCertificates.write(files, lab.authority, lab.authority.issue("first", HOST));
    HandshakeNode changing = lab.node(CertificateCredentials.load(written, PeerNames.NONE));
    HandshakeNode client = lab.node("client");
    client.connect(changing);

    TestCertificates.write(files, lab.authority, lab.authority.issue("other", "127.0.0.9"));
    String reason = client.fail(changing.address()).reason();
    assertTrue(reason.contains("its certificate CN=other is for 127.0.0.9, not"), reason);
    assertTrue(HandshakeNode.next(changing.reloads).startsWith("true: CN=other, issued by"));

    TestCertificates.replace(written.certificate(), "nothing");
    client.fail(changing.address());
    String unusable = HandshakeNode.next(changing.reloads);
    assertTrue(
        unusable.startsWith("false: " + written.certificate() + " holds no certificate"), unusable);
    client.fail(changing.address());
    assertTrue(changing.reloads.isEmpty(), "told once");

    TestCertificates.write(files, lab.authority, lab.authority.issue("third", HOST));
    client.connect(changing);
    assertTrue(HandshakeNode.next(changing.reloads).startsWith("true: CN=third, issued by"));
  }

  @Test
  void shouldJudgeAPeerAgainThatIsRevoked() throws Exception {
    TestCertificates.Issued mine = lab.authority.issue("client", HOST);
    CertificateFiles written =
        TestCertificates.write(
            folder.resolve("judge"), lab.authority, lab.authority.issue("judge", HOST));
    Path list =
        TestCertificates.replace(folder.resolve("revoked.pem"), lab.authority.revocations());
    HandshakeNode judge =
        lab.node(
            CertificateCredentials.load(
                new CertificateFiles(
                    written.authorities(), written.certificate(), written.privateKey(), list),
                PeerNames.NONE));
    HandshakeNode client = lab.node(lab.credentials(mine));
    client.connect(judge);

    TestCertificates.replace(list, lab.authority.revocations(mine.certificate()));
    String reason = client.fail(judge.address()).reason();
    assertTrue(reason.startsWith("the peer does not accept this node's certificate"), reason);
    assertEquals("its certificate CN=client is revoked", HandshakeNode.next(judge.refusals));
  }

  @Test
  void shouldTakeAHostByItsNameAndByItsNumbers() throws Exception {
    HandshakeNode named = lab.node(lab.credentials(lab.authority.issue("named", "localhost")));
    HandshakeNode client = lab.node("client");
    InetSocketAddress byName = new InetSocketAddress("localhost", named.address().getPort());
    assertEquals(HOST, byName.getAddress().getHostAddress());

    assertInstanceOf(HandshakeOutcome.Established.class, client.begin(byName).get());
    String reason = client.fail(named.address()).reason();
    assertTrue(reason.endsWith("its certificate CN=named is for localhost, not 127.0.0.1"), reason);
  }

  @Test
  void shouldTakeNamesThatAnyPeerMayBear() throws Exception {
    PeerNames cluster = new PeerNames(List.of("*.db.example.org"));
    TestCertificates.Issued one = lab.authority.issue("one", "a.db.example.org");
    TestCertificates.Issued two = lab.authority.issue("two", "b.db.example.org");
    HandshakeNode called = lab.node(lab.credentials(lab.authority, one, cluster));
    HandshakeNode client = lab.node(lab.credentials(lab.authority, two, cluster));

    client.connect(called);
    assertTrue(
        lab.node("strict").fail(called.address()).reason().contains("is for a.db.example.org"));
    HandshakeNode deep =
        lab.node(
            lab.credentials(
                lab.authority, lab.authority.issue("x", "a.b.db.example.org"), cluster));
    deep.fail(server.address());
    assertEquals(
        "its certificate CN=x is for a.b.db.example.org, not 127.0.0.1",
        HandshakeNode.next(server.refusals));
  }
}
