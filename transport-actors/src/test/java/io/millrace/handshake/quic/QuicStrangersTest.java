package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeAvailability;
import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeSettings;
import io.millrace.crypto.Handshaker;
import io.millrace.handshake.AdvertCodec;
import io.millrace.handshake.CertificateLab;
import io.millrace.handshake.CertifiedExchange;
import io.millrace.handshake.HandshakeNode;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.netty.handler.codec.quic.QuicChannel;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Datagrams from clients outside the cluster at the UDP port: clear reasons, bounds, no harm. */
@Timeout(60)
final class QuicStrangersTest {
  private static final String HOST = "127.0.0.1";
  private static final String PROTOCOL = CertifiedExchange.APPLICATION_PROTOCOL;
  private static final long TIMEOUT_NS = 10_000_000_000L;

  @TempDir private Path folder;
  private CertificateLab lab;
  private HandshakeNode server;

  @BeforeEach
  void open() throws Exception {
    lab = new CertificateLab(folder, new QuicProvider());
    server = lab.node("server");
  }

  /** Whatever came before, an honest peer connects. */
  @AfterEach
  void close() throws Exception {
    server.paths.clear();
    lab.node("good").connect(server);
    HandshakeNode.next(server.paths);
    assertTrue(server.faults.isEmpty(), server.faults.toString());
    lab.close();
  }

  private QuicStranger stranger(String... protocols) throws Exception {
    return new QuicStranger(lab.authority, lab.authority.issue("client", HOST), protocols);
  }

  @Test
  void shouldRefuseAnotherProtocol() throws Exception {
    try (QuicStranger stranger = stranger("millrace/2", "h3")) {
      assertThrows(ExecutionException.class, () -> stranger.connect(server));
      assertEquals(
          "it does not offer millrace/1 by ALPN, or nothing else that this node's TLS accepts",
          HandshakeNode.next(server.refusals));
    }
  }

  @Test
  void shouldRefuseAClientWithoutACertificate() throws Exception {
    try (QuicStranger stranger = new QuicStranger(lab.authority, null, PROTOCOL)) {
      QuicChannel connection = stranger.connect(server);
      connection.closeFuture().await();
      assertEquals(
          "it showed no certificate, did not prove that it has its key, or resumed a session",
          HandshakeNode.next(server.refusals));
    }
  }

  /** Netty lets a client resume; such a client has shown no certificate, and gets no path. */
  @Test
  void shouldGiveNoPathToAResumedSession() throws Exception {
    byte[] advert = lab.node("client").advert();
    try (QuicStranger stranger = stranger(PROTOCOL)) {
      QuicChannel first = stranger.connect(server);
      assertFalse(QuicStranger.isResumed(first));
      byte[] answer = QuicStranger.send(first, advert).get();
      assertTrue(AdvertCodec.decode(answer) != null, "the node's advert");
      HandshakeNode.next(server.paths);
      // The ticket comes with or before the answer.
      first.close().sync();

      QuicChannel second = stranger.connect(server);
      assertTrue(QuicStranger.isResumed(second), "otherwise this test tests nothing");
      assertEquals(0, QuicStranger.send(second, advert).get().length);
      assertTrue(HandshakeNode.next(server.refusals).endsWith("or resumed a session"));
      assertTrue(server.paths.isEmpty());
    }
  }

  @Test
  void shouldRefuseAdvertsWithBytesChanged() throws Exception {
    byte[] advert = lab.node("client").advert();
    Random random = new Random(7);
    for (int i = 0; i < 8; i++) {
      byte[] wrong = advert.clone();
      wrong[0] = (byte) Math.min(wrong[0], wrong.length);
      wrong[2 + random.nextInt(5)] ^= (byte) (1 << random.nextInt(8));
      try (QuicStranger stranger = stranger(PROTOCOL)) {
        byte[] answer = QuicStranger.send(stranger.connect(server), wrong).get();
        assertTrue(AdvertCodec.decode(answer) == null, "no advert");
      }
      assertEquals("its advert cannot be understood", HandshakeNode.next(server.refusals));
    }
    assertTrue(server.paths.isEmpty());
  }

  @Test
  void shouldEndConnectionsThatSayNothing() throws Exception {
    HandshakeNode hasty =
        lab.node(lab.credentials(lab.authority.issue("hasty", HOST)), 1_000_000_000L);
    try (QuicStranger stranger = stranger(PROTOCOL)) {
      stranger.connect(hasty).closeFuture().await();
      assertEquals("it sent no advert in time", HandshakeNode.next(hasty.refusals));
    }
  }

  /**
   * A first packet that the codec can read up to the token; the bytes behind the token are
   * nonsense.
   */
  private static byte[] initial(int length, int seed) {
    byte[] id = ByteBuffer.allocate(8).putLong(seed).array();
    ByteBuffer packet = ByteBuffer.allocate(length);
    packet.put((byte) 0xC3).putInt(1).put((byte) 8).put(id).put((byte) 8).put(id);
    packet.put((byte) 0).putShort((short) (0x4000 | length - packet.position() - 2));
    return packet.array();
  }

  private static void send(DatagramSocket socket, HandshakeNode to, byte[] datagram)
      throws Exception {
    socket.send(new DatagramPacket(datagram, datagram.length, to.address()));
  }

  @Test
  void shouldAnswerAnUnprovedAddressByOneShortDatagramAlone() throws Exception {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral(HOST))) {
      socket.setSoTimeout(10_000);
      DatagramPacket received = new DatagramPacket(new byte[65_536], 65_536);
      for (int i = 0; i < 100; i++) {
        send(socket, server, initial(1_199, i));
        send(socket, server, initial(1_200, i));
        socket.receive(received);
        assertEquals(0xF0, received.getData()[0] & 0xF0, "Retry");
        assertTrue(received.getLength() < 200, () -> received.getLength() + " bytes");
      }
      socket.setSoTimeout(300);
      assertThrows(SocketTimeoutException.class, () -> socket.receive(received));
    }
    assertTrue(server.refusals.isEmpty(), server.refusals.toString());
    assertEquals(0, server.epoch.get(), "no connection was opened");
  }

  @Test
  void shouldIgnoreGarbage() throws Exception {
    Random random = new Random(3);
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.ofLiteral(HOST))) {
      for (int i = 0; i < 2_000; i++) {
        byte[] garbage = new byte[random.nextInt(1_500)];
        random.nextBytes(garbage);
        if (garbage.length > 20 && i % 2 == 0) {
          // Looks like a packet of version 1, with a token every other time.
          ByteBuffer.wrap(garbage).put((byte) (0xC0 | random.nextInt(64))).putInt(1);
          garbage[5] = (byte) random.nextInt(24);
        }
        send(socket, server, garbage);
      }
    }
    lab.node("after").connect(server);
    assertTrue(server.refusals.isEmpty(), server.refusals.toString());
  }

  /** A provider with these limits. */
  private record Limited(QuicLimits limits) implements HandshakeProvider {
    @Override
    public String name() {
      return "quic";
    }

    @Override
    public HandshakeAvailability probe() {
      return new HandshakeAvailability.Available();
    }

    @Override
    public Handshaker open(HandshakeSettings settings, HandshakeListener listener)
        throws io.millrace.crypto.HandshakeException {
      return QuicHandshaker.open(
          settings, (CertificateCredentials) settings.credentials(), listener, limits);
    }
  }

  /** Rule Q-5. */
  @Test
  void shouldMakeRoomForTheNewestConnection() throws Exception {
    HandshakeNode small =
        lab.node(
            new Limited(new QuicLimits(8, 1, 1)),
            lab.credentials(lab.authority.issue("small", HOST)),
            TIMEOUT_NS);
    try (QuicStranger stranger = stranger(PROTOCOL)) {
      QuicChannel first = stranger.connect(small);
      HandshakeNode second = lab.node("second");
      // The second node needs no second try: the silent client makes room, a place otherwise taken
      // for 10 s.
      assertInstanceOf(
          HandshakeOutcome.Established.class,
          second.begin(small.address()).get(TIMEOUT_NS / 2, TimeUnit.NANOSECONDS));
      first.closeFuture().await();
      assertEquals(
          "it was too slow: newer connections needed the room", HandshakeNode.next(small.refusals));
      second.connect(small);
      assertTrue(small.refusals.isEmpty(), "who was answered is refused nothing");
    }
  }

  @Test
  void shouldBoundWhatItBegins() throws Exception {
    HandshakeNode client =
        lab.node(
            new Limited(new QuicLimits(1, 8, 8)),
            lab.credentials(lab.authority.issue("client", HOST)),
            TIMEOUT_NS);
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.ofLiteral(HOST))) {
      CompletableFuture<HandshakeOutcome> first =
          client.begin((java.net.InetSocketAddress) silent.getLocalSocketAddress());
      assertEquals(HandshakeFailure.TOO_MANY_HANDSHAKES, client.fail(server.address()).cause());
      client.close();
      assertInstanceOf(HandshakeOutcome.Failed.class, first.get());
    }
  }
}
