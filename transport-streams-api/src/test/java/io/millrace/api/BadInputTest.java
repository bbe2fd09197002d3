package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.Addresses;
import io.millrace.config.SettingsException;
import io.millrace.config.TransportSettings;
import io.millrace.event.DropReason;
import io.millrace.node.TransportException;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input gets one clear error, and nothing is lost. */
@Timeout(60)
class BadInputTest {
  private static final RouteId ECHO = RouteId.of("echo");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.workers.count = 0 | 'millrace.workers.count' must be from 1 to 255, not 0",
        "millrace.workers.count = many | 'millrace.workers.count' must be a whole number, not"
            + " 'many'",
        "millrace.workers.cuont = 2 | 'millrace.workers.cuont' is unknown; did you mean"
            + " 'millrace.workers.count'?",
        "millrace.workers.idle-strategy = LAZY | 'millrace.workers.idle-strategy' must be one of"
            + " BUSY_SPIN, BACKOFF, CALLER_RUNS, not 'LAZY'",
        "millrace.workers.wheel-tick = 1 ms | 'millrace.workers.wheel-tick' must be from 1024 ns to"
            + " 999999 ns, not 1 ms",
        "millrace.workers.wheel-tick = 30 us | 'millrace.workers.wheel-tick' must be a power of two"
            + " in nanoseconds, such as 32768 ns, not 30 us",
        "millrace.handshake.timeout = 3 h | 'millrace.handshake.timeout' must be from 1 ms to"
            + " 10 minutes, not 3 hours",
        "millrace.handshake.timeout = soon | 'millrace.handshake.timeout' must be a duration such"
            + " as 10 ms, not 'soon'",
        "millrace.nic.send-buffer = 2 KiB | 'millrace.nic.send-buffer' must be from 4 KiB to 1 GiB,"
            + " not 2 KiB",
        "millrace.workers.cores = [0] \\n"
            + " millrace.workers.count = 2 | 'millrace.workers.cores' must",
        "millrace.scheduler.weights = [1] | 'millrace.scheduler.weights' must have 8 entries",
        "millrace.handshake.psk = 0011 | 'millrace.handshake.psk' must have 64 hexadecimal digits"
            + " (32 bytes) or more, not 4",
        "millrace.handshake.psk = xyz | 'millrace.handshake.psk' must be hexadecimal",
        "millrace.handshake.listen = \"nohost.invalid:1\" | names the unknown host"
            + " 'nohost.invalid'",
        "millrace.handshake.listen = \"127.0.0.1\" | 'millrace.handshake.listen' must be"
            + " host:port",
        "millrace.crypto.key-bits = 192 | 'millrace.crypto.key-bits' must be 128 or 256",
        "millrace.nic.max-datagram = 100 | 'millrace.nic.max-datagram' must be from 1200 B to"
            + " 65507 B, not 100 B",
        "millrace { | the configuration cannot be read: ",
      })
  void shouldNameTheBadKey(String overrides, String message) {
    String text = overrides.replace("\\n", "\n");
    SettingsException failure =
        assertThrows(SettingsException.class, () -> TransportSettings.parse(text));
    assertTrue(message(failure).contains(message), message(failure));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "millrace.handshake.psk = \"\" | 'millrace.handshake.psk' is empty",
        "millrace.handshake.provider = rot13 | there is no handshake provider rot13; known are psk",
        "millrace.handshake.listen = \"0.0.0.0:0\" | 'millrace.handshake.advertised' is empty",
        "millrace.nic.address = \"0.0.0.0:0\" | 'millrace.nic.address' is a wildcard",
        "millrace.limits.inline-budget = 64 MiB | 'millrace.limits.inline-budget' must be at least"
            + " 71776 KiB for millrace.limits.peers = 1024",
        "millrace.limits.inline-credit = 16 KiB | 'millrace.limits.inline-credit' must be at least"
            + " 35888 B",
        "millrace.limits.request-budget = 100 MiB | 'millrace.limits.request-budget' must be at"
            + " least twice millrace.transfers.message = 64 MiB, not 100 MiB",
        "millrace.streams.budget = 128 MiB | 'millrace.streams.budget' must be at least 131584 KiB"
            + " with millrace.transfers.message = 64 MiB",
        "millrace.streams.per-peer = 64 MiB | 'millrace.streams.per-peer' must be at least"
            + " 66052 KiB with millrace.transfers.message = 64 MiB,",
        "millrace.nic.driver = warp | unknown driver 'warp'",
        "millrace.crypto.aead = rot13 | 'millrace.crypto.aead': there is no AEAD provider rot13",
      })
  void shouldRefuseToStartWithOneClearSentence(String overrides, String message) {
    TransportSettings settings = TwoNodes.settings(overrides);
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> Transport.start(settings).close());
    assertTrue(message(failure).contains(message), message(failure));
  }

  @Test
  void shouldSayWhichPortIsInUse() throws Exception {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      for (String key : List.of("handshake.listen", "nic.address")) {
        TransportSettings settings =
            TwoNodes.settings("millrace." + key + " = \"127.0.0.1:" + port + "\"");
        TransportException failure =
            assertThrows(TransportException.class, () -> Transport.start(settings).close());
        assertTrue(message(failure).contains(String.valueOf(port)), message(failure));
        assertTrue(message(failure).contains("in use"), message(failure));
      }
    }
  }

  @Test
  void shouldFailCallsToAPeerWithAnotherKeyOrToNobody() throws Exception {
    String otherKey = "ff".repeat(32);
    try (TwoNodes nodes = new TwoNodes("millrace.handshake.timeout = 500 ms");
        Transport stranger =
            Transport.start(TwoNodes.settings("millrace.handshake.psk = " + otherKey))) {
      CallException wrongKey =
          failure(Raw.unary(nodes.client.peer(stranger.address()), ECHO, bytes(4)));
      assertEquals(CallOutcome.HANDSHAKE_FAILED, wrongKey.outcome());
      assertEquals(
          stranger.address()
              + ": the peer does not accept this pre-shared key (or is not a Millrace node)",
          wrongKey.reason());
      CallException nobody = failure(Raw.unary(nodes.client.peer("127.0.0.1:9"), ECHO, bytes(4)));
      assertEquals(CallOutcome.HANDSHAKE_FAILED, nobody.outcome());
      assertTrue(
          message(nobody).startsWith("HANDSHAKE_FAILED: 127.0.0.1:9: nobody listens"),
          message(nobody));
      CallException unconnected = failure(nodes.client.peer("127.0.0.1:9").connect());
      assertTrue(
          message(unconnected).startsWith("HANDSHAKE_FAILED: 127.0.0.1:9: nobody listens"),
          message(unconnected));
      assertThrows(SettingsException.class, () -> nodes.client.peer("nohost.invalid:7"));
      SettingsException noPort =
          assertThrows(SettingsException.class, () -> nodes.client.peer("127.0.0.1"));
      assertEquals("the peer's address must be host:port, not '127.0.0.1'", message(noPort));
    }
  }

  @Test
  void shouldRefuseAPayloadOverTheLimitAndGoOn() throws Exception {
    String limit = "millrace.transfers.message = 50000";
    try (TwoNodes nodes = new TwoNodes(limit)) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Raw.serve(
          nodes.server,
          RouteId.of("huge"),
          call -> CompletableFuture.completedFuture(UnaryResponse.of(bytes(100_000))));
      Peer peer = nodes.peer();
      peer.connect().get(20, TimeUnit.SECONDS);
      CallException large = failure(Raw.unary(peer, ECHO, bytes(50_001)));
      assertEquals(CallOutcome.PAYLOAD_TOO_LARGE, large.outcome());
      assertEquals(
          CallOutcome.RESPONSE_TOO_LARGE,
          failure(Raw.unary(peer, RouteId.of("huge"), bytes(1))).outcome());
      int most = 8_972 - PacketHeader.OVERHEAD - 8 - 18 - 4;
      byte[] fitting = bytes(most);
      assertArrayEquals(
          fitting, Raw.unary(peer, ECHO, fitting).get(20, TimeUnit.SECONDS).payload());
      for (int length : new int[] {most + 1, 50_000}) {
        byte[] body = bytes(length);
        assertArrayEquals(body, Raw.unary(peer, ECHO, body).get(20, TimeUnit.SECONDS).payload());
      }
    }
  }

  @Test
  void shouldServeCallsWhileGarbageArrives() throws Exception {
    try (TwoNodes nodes = new TwoNodes("");
        DatagramSocket attacker = new DatagramSocket()) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Peer peer = nodes.peer();
      Raw.unary(peer, ECHO, bytes(1)).get(20, TimeUnit.SECONDS);
      InetSocketAddress handshake = Addresses.parse("server", nodes.server.address());
      InetSocketAddress worker = HostilePackets.workerAddress(nodes.server);
      Random random = new Random(5);
      List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        byte[] garbage = new byte[random.nextInt(200)];
        random.nextBytes(garbage);
        if (garbage.length > 1 && i % 2 == 0) {
          garbage[0] = i % 4 == 0 ? PacketHeader.FORM_DATA : PacketHeader.FORM_HANDSHAKE;
          garbage[1] = 0;
        }
        attacker.send(new DatagramPacket(garbage, garbage.length, i % 3 == 0 ? handshake : worker));
        if (i % 20 == 0) {
          calls.add(Raw.unary(peer, ECHO, bytes(i % 500)));
        }
      }
      for (int i = 0; i < calls.size(); i++) {
        assertArrayEquals(bytes(i * 20 % 500), calls.get(i).get(20, TimeUnit.SECONDS).payload());
      }
      assertTrue(nodes.serverEvents().drops(DropReason.MALFORMED) > 0);
      assertTrue(nodes.serverEvents().drops(DropReason.UNKNOWN_PATH) > 0);
      assertEquals(0, nodes.serverEvents().count("ProtocolViolation"));
      assertEquals(0, nodes.serverEvents().count("PeerFault"));
    }
  }

  @Test
  void shouldFailWhatIsUnderWayWhenTheTransportCloses() throws Exception {
    TwoNodes nodes = new TwoNodes("");
    Raw.serve(nodes.server, ECHO, call -> new CompletableFuture<>());
    Peer peer = nodes.peer();
    CompletableFuture<UnaryResponse> pending = Raw.unary(peer, ECHO, bytes(1));
    peer.connect().get(20, TimeUnit.SECONDS);
    nodes.client.close();
    assertEquals(CallOutcome.CLOSED, failure(pending).outcome());
    assertEquals(CallOutcome.CLOSED, failure(Raw.unary(peer, ECHO, bytes(1))).outcome());
    nodes.client.close();
    nodes.server.close();
  }

  @Test
  void shouldRefuseARouteTwiceAndAPriorityOutOfRange() {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(nodes.server, ECHO, call -> call.reply(0, 0));
      assertThrows(
          IllegalArgumentException.class,
          () -> Raw.serveOnWorker(nodes.server, ECHO, call -> call.reply(0, 0)));
      assertThrows(IllegalArgumentException.class, () -> TransferOptions.DEFAULTS.withPriority(8));
      assertThrows(IllegalArgumentException.class, () -> TransferOptions.DEFAULTS.withPriority(-1));
      assertThrows(IllegalArgumentException.class, () -> RouteId.of(""));
    }
  }

  /**
   * The caller gets the error for a missing deadline, not the worker that would time the deadline.
   */
  @Test
  @SuppressWarnings("NullAway") // null on purpose
  void shouldRefuseADeadlineThatIsNullOrTooLong() {
    TransferOptions options = TransferOptions.DEFAULTS;
    NullPointerException of =
        assertThrows(NullPointerException.class, () -> options.withDeadline(null));
    assertEquals("deadline", message(of));
    NullPointerException made =
        assertThrows(NullPointerException.class, () -> options.withProtection(null));
    assertEquals("protection", message(made));
    assertThrows(IllegalArgumentException.class, () -> options.withExpectedResponseBytes(-1));
    try (TwoNodes nodes = new TwoNodes("")) {
      Destination destination = Destination.of(nodes.peer());
      NullPointerException broadcast =
          assertThrows(NullPointerException.class, () -> destination.withDeadline(null));
      assertEquals("deadline", message(broadcast));
      Duration longest = Duration.ofDays(200);
      assertEquals(longest, destination.withDeadline(longest).deadline());
      IllegalArgumentException tooLong =
          assertThrows(
              IllegalArgumentException.class, () -> destination.withDeadline(longest.plusNanos(1)));
      assertTrue(message(tooLong).contains("more than 200 days"), message(tooLong));
    }
  }

  private static CallException failure(CompletableFuture<?> future) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause());
  }

  private static String message(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return bytes;
  }
}
