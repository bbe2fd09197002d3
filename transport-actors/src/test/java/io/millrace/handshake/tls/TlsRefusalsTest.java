package io.millrace.handshake.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.HandshakeNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of faulty peer: a clear reason on both sides, and no harm to other peers. */
@Timeout(60)
class TlsRefusalsTest {
  private static final String HOST = TlsLab.HOST;

  @TempDir private Path folder;
  private TlsLab lab;
  private HandshakeNode server;

  @BeforeEach
  void open() throws Exception {
    lab = new TlsLab(folder);
    server = lab.node("server");
  }

  /** Whatever came before, an honest peer connects. */
  @AfterEach
  void close() throws Exception {
    HandshakeNode good = lab.node("good");
    good.connect(server);
    HandshakeNode.next(server.paths);
    assertTrue(server.faults.isEmpty(), server.faults.toString());
    assertTrue(server.paths.isEmpty());
    lab.close();
  }

  /** A holder of a certificate of the cluster sends other bytes than an advert. */
  @Test
  void shouldRefuseAdvertsWithBytesChangedOrLeftOut() throws Exception {
    byte[] advert = lab.node("client").advert();
    var context = lab.context(lab.authority.issue("client", HOST));
    Random random = new Random(7);
    for (int i = 0; i < 24; i++) {
      byte[] wrong = advert.clone();
      wrong[i % 7] ^= (byte) (1 << random.nextInt(8));
      try (SSLSocket socket = TlsLab.socket(context, server)) {
        socket.getOutputStream().write(wrong, 0, wrong.length - (i < 12 ? 0 : 9));
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
      String refusal = HandshakeNode.next(server.refusals);
      assertTrue(
          refusal.equals("its advert cannot be understood")
              || refusal.equals("it closed the connection during the handshake"),
          refusal);
    }
  }

  private String refusalOf(SSLSocket socket) throws Exception {
    try (socket) {
      IOException failure =
          assertThrows(
              IOException.class,
              () -> {
                socket.startHandshake();
                // In TLS 1.3 a client learns of the server's refusal when reading.
                int end = socket.getInputStream().read();
                throw new IOException("the end: " + end);
              });
      assertTrue(String.valueOf(failure.getMessage()).contains("alert"), failure.toString());
    }
    return HandshakeNode.next(server.refusals);
  }

  @Test
  void shouldRefuseAClientWithoutACertificate() throws Exception {
    assertEquals("it sent no certificate", refusalOf(TlsLab.socket(lab.context(null), server)));
  }

  @Test
  void shouldRefuseTls12() throws Exception {
    var context = lab.context(lab.authority.issue("client", HOST));
    assertEquals(
        "it does not speak TLS 1.3",
        refusalOf(
            TlsLab.socket(context, server, "TLSv1.2", CertifiedExchange.APPLICATION_PROTOCOL)));
  }

  @Test
  void shouldRefuseAnotherProtocol() throws Exception {
    var context = lab.context(lab.authority.issue("client", HOST));
    assertEquals(
        "it speaks millrace/2, h2, this node millrace/1",
        refusalOf(TlsLab.socket(context, server, "TLSv1.3", "millrace/2", "h2")));
  }

  @Test
  void shouldRefuseAClientThatNamesNoProtocol() throws Exception {
    var context = lab.context(lab.authority.issue("client", HOST));
    try (SSLSocket socket = TlsLab.socket(context, server, "TLSv1.3")) {
      byte[] answer = socket.getInputStream().readAllBytes();
      assertTrue(
          new String(answer, StandardCharsets.UTF_8).contains("it offers no protocol by ALPN"));
    }
    assertEquals(
        "it offers no protocol by ALPN, this node speaks millrace/1",
        HandshakeNode.next(server.refusals));
  }

  private String refusalOf(byte[] bytes) throws Exception {
    try (Socket socket = TlsLab.plain(server)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(bytes);
      socket.getInputStream().readAllBytes();
    }
    return HandshakeNode.next(server.refusals);
  }

  @Test
  void shouldRefuseWhatIsNoTls() throws Exception {
    assertEquals(
        "it does not speak TLS",
        refusalOf("SSH-2.0-OpenSSH\r\n".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(
        "it does not speak TLS, but HTTP",
        refusalOf("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    Random random = new Random(3);
    for (int i = 0; i < 50; i++) {
      byte[] garbage = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(garbage);
      // Every second garbage begins like a record.
      if (i % 2 == 0 && garbage.length > 5) {
        garbage[0] = 22;
        garbage[1] = 3;
        garbage[2] = 3;
        garbage[3] = 0;
        garbage[4] = (byte) (garbage.length > 260 ? 255 : 1);
      }
      try (Socket socket = TlsLab.plain(server)) {
        socket.getOutputStream().write(garbage);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
      String refusal = HandshakeNode.next(server.refusals);
      assertTrue(refusal.startsWith("it "), refusal);
    }
  }

  @Test
  void shouldSayNothingOfAConnectionThatSaysNothing() throws Exception {
    try (Socket socket = TlsLab.plain(server)) {
      socket.shutdownOutput();
      assertEquals(-1, socket.getInputStream().read());
    }
    assertTrue(server.refusals.isEmpty(), server.refusals.toString());
  }

  @Test
  void shouldCutOffAPeerThatIsSlow() throws Exception {
    HandshakeNode hasty =
        lab.node(
            lab.credentials(lab.authority.issue("hasty", HOST)), 300_000_000L, TlsLimits.DEFAULT);
    try (Socket socket = TlsLab.plain(hasty)) {
      socket.getOutputStream().write(new byte[] {22, 3, 1, 0});
      assertEquals(-1, socket.getInputStream().read());
    }
    assertEquals("it stopped answering during the handshake", HandshakeNode.next(hasty.refusals));
  }

  @Test
  void shouldTellThatNobodyListensOrAnswers() throws Exception {
    HandshakeNode client =
        lab.node(
            lab.credentials(lab.authority.issue("hasty", HOST)), 300_000_000L, TlsLimits.DEFAULT);
    HandshakeNode gone = lab.node("gone");
    gone.close();

    HandshakeOutcome.Failed refused = client.fail(gone.address());
    assertEquals("nobody listens there: connection refused", refused.reason());
    assertEquals(HandshakeFailure.NO_ANSWER, refused.cause());

    try (var silent = new java.net.ServerSocket(0, 10, server.address().getAddress())) {
      HandshakeOutcome.Failed unanswered =
          client.fail((InetSocketAddress) silent.getLocalSocketAddress());
      assertEquals("the peer stopped answering during the handshake", unanswered.reason());
      assertEquals(HandshakeFailure.NO_ANSWER, unanswered.cause());
    }
    assertTrue(
        client
            .fail(InetSocketAddress.createUnresolved("nohost.invalid", 1))
            .reason()
            .contains("nohost.invalid is unknown"));
  }

  @Test
  void shouldMakeRoomForTheNewestConnection() throws Exception {
    TlsLimits few = new TlsLimits(2, 4, 3, 64 << 10, 64 << 10, 1);
    HandshakeNode small =
        lab.node(lab.credentials(lab.authority.issue("small", HOST)), TlsLab.TIMEOUT_NS, few);
    Socket[] idle = new Socket[3];
    for (int i = 0; i < idle.length; i++) {
      idle[i] = TlsLab.plain(small);
    }

    server.connect(small);

    assertEquals(-1, idle[0].getInputStream().read(), "the oldest made room");
    assertEquals(
        "it was too slow: newer connections needed the room", HandshakeNode.next(small.refusals));
    for (Socket each : idle) {
      each.close();
    }
  }

  @Test
  void shouldCutOffAStrangerThatSendsTooMuch() throws Exception {
    TlsLimits few = new TlsLimits(2, 4, 3, 1 << 10, 64 << 10, 1);
    HandshakeNode small =
        lab.node(lab.credentials(lab.authority.issue("small", HOST)), TlsLab.TIMEOUT_NS, few);
    byte[] record = new byte[4_096];
    Arrays.fill(record, (byte) 0);
    System.arraycopy(new byte[] {22, 3, 3, 0x40, 0}, 0, record, 0, 5);
    try (Socket socket = TlsLab.plain(small)) {
      socket.getOutputStream().write(record);
      socket.getInputStream().readAllBytes();
    }
    assertEquals("it sent too much", HandshakeNode.next(small.refusals));
  }

  @Test
  void shouldBoundHowOftenOneNetworkConnects() throws Exception {
    HandshakeNode small = lab.node(new HandshakeLimits(1, 100));
    try (Socket first = TlsLab.plain(small);
        Socket second = TlsLab.plain(small)) {
      assertTrue(first.isConnected());
      assertEquals(-1, second.getInputStream().read());
    }
    assertEquals("too many connections come in a second", HandshakeNode.next(small.refusals));
    // The node closes the patient client's first connection at once as well, and the client comes
    // back.
    lab.node("patient").connect(small);
  }

  @Test
  void shouldEndWhatIsUnderWayWhenTheNodeIsClosed() throws Exception {
    try (var silent = new java.net.ServerSocket(0, 10, server.address().getAddress())) {
      HandshakeNode client = lab.node("client");
      var outcome = client.begin((InetSocketAddress) silent.getLocalSocketAddress());
      silent.accept().getInputStream().read();
      client.close();
      assertEquals(
          HandshakeFailure.CLOSED,
          assertInstanceOf(HandshakeOutcome.Failed.class, outcome.get()).cause());
      assertEquals(HandshakeFailure.CLOSED, client.fail(server.address()).cause());
    }
  }

  @Test
  void shouldBoundWhatItBegins() throws Exception {
    TlsLimits few = new TlsLimits(1, 4, 3, 64 << 10, 64 << 10, 1);
    HandshakeNode client =
        lab.node(lab.credentials(lab.authority.issue("c", HOST)), TlsLab.TIMEOUT_NS, few);
    try (var silent = new java.net.ServerSocket(0, 10, server.address().getAddress())) {
      var first = client.begin((InetSocketAddress) silent.getLocalSocketAddress());
      assertEquals(HandshakeFailure.TOO_MANY_HANDSHAKES, client.fail(server.address()).cause());
      client.close();
      assertInstanceOf(HandshakeOutcome.Failed.class, first.get());
    }
  }
}
