package io.millrace.samples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.node.CallerLoop;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The log of a node without subscribers. */
@Timeout(60)
class ServerLogTest {
  private static final Route<ByteString, ByteString> FAULTY = Route.bytes("faulty");
  private static final Route<ByteString, ByteString> SOUND = Route.bytes("sound");
  private static final long LIMIT_S = 30;
  private static final String KEY = "1f".repeat(32);
  private static final String OTHER_KEY = "2e".repeat(32);

  private final Logger log = (Logger) LoggerFactory.getLogger("io.millrace.events");
  private final Lines lines = new Lines();

  /** Keeps the logged events, and waits meanwhile if wanted. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final BlockingQueue<ILoggingEvent> events = new LinkedBlockingQueue<>();
    private final CountDownLatch blocked = new CountDownLatch(1);
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    protected void append(ILoggingEvent event) {
      blocked.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      events.add(event);
    }

    ILoggingEvent next() throws InterruptedException {
      ILoggingEvent event = events.poll(LIMIT_S, TimeUnit.SECONDS);
      assertNotNull(event, "nothing was logged");
      return event;
    }
  }

  @BeforeEach
  void listen() {
    lines.start();
    log.setAdditive(false);
    log.addAppender(lines);
  }

  @AfterEach
  void leave() {
    log.detachAppender(lines);
    log.setAdditive(true);
  }

  private static Transport start(String key, String overrides) {
    return Transport.start(
        TransportSettings.parse("millrace.nic.driver = udp-nio\n" + overrides).withPsk(key));
  }

  private static Transport server(String overrides) {
    Transport server = start(KEY, overrides);
    server.serveOnWorker(
        FAULTY,
        call -> {
          throw new IllegalStateException("on purpose");
        });
    server.serveOnWorker(SOUND, call -> call.reply(0, 0));
    return server;
  }

  private static void fail(Transport client, Transport server) {
    CompletableFuture<?> call =
        client.peer(server.address()).unary(FAULTY, ByteString.fromString("x"));
    assertThrows(CompletionException.class, () -> call.orTimeout(LIMIT_S, TimeUnit.SECONDS).join());
  }

  @Test
  void shouldLogHandlersThatThrow() throws Exception {
    try (Transport server = server("");
        Transport client = start(KEY, "")) {
      for (int i = 0; i < 5; i++) {
        fail(client, server);
      }

      for (int number : List.of(1, 2, 4)) {
        ILoggingEvent event = lines.next();
        assertEquals(Level.ERROR, event.getLevel());
        assertEquals(
            "The unary handler of route faulty failed a call of "
                + client.address()
                + ", number "
                + number
                + " that it failed: java.lang.IllegalStateException: on purpose",
            event.getFormattedMessage());
        assertEquals("on purpose", event.getThrowableProxy().getMessage());
      }
      assertEquals(5, server.snapshot().handlerFaults());
    }
    assertTrue(lines.events.isEmpty());
  }

  @Test
  void shouldLogWhoHasAnotherKey() throws Exception {
    try (Transport server = server("");
        Transport client = start(OTHER_KEY, "millrace.handshake.timeout = 500 ms")) {
      CompletableFuture<?> call =
          client.peer(server.address()).unary(SOUND, ByteString.fromString("x"));
      assertThrows(
          CompletionException.class, () -> call.orTimeout(LIMIT_S, TimeUnit.SECONDS).join());

      ILoggingEvent event = lines.next();
      assertEquals(Level.WARN, event.getLevel());
      assertEquals(
          "Refused a handshake of "
              + client.address()
              + ", number 1 that was refused to its host: it does not have this node's pre-shared"
              + " key, or is not a Millrace node",
          event.getFormattedMessage());
      assertNull(event.getThrowableProxy());
      assertTrue(server.snapshot().refusedHandshakes() > 0);
      assertEquals(0, client.snapshot().refusedHandshakes());
    }
  }

  @Test
  void shouldLogAPeerThatDied() throws Exception {
    String fast =
        "millrace.profile = dedicated\n"
            + "millrace.recovery { keep-alive = 200 ms, silence = 50 ms, probe-period = 20 ms,"
            + " fail-after = 200 ms }";
    Transport dead = start(KEY, "millrace.workers.idle-strategy = CALLER_RUNS");
    try (Transport server = server(fast)) {
      CompletableFuture<?> call =
          dead.peer(server.address()).unary(SOUND, ByteString.fromString("x"));
      CallerLoop loop = dead.callerLoops().getFirst();
      loop.runUntil(call::isDone, loop.nowNs() + TimeUnit.SECONDS.toNanos(LIMIT_S));

      // From here on nobody runs the server's loop.
      ILoggingEvent event = lines.next();
      assertEquals(Level.WARN, event.getLevel());
      String text = event.getFormattedMessage();
      assertTrue(text.startsWith("Gave up the peer " + dead.address() + " (no packet for "), text);
      assertTrue(text.endsWith("given up): what was under way with it has failed"), text);
    } finally {
      dead.close();
    }
    assertTrue(lines.events.isEmpty());
  }

  @Test
  void shouldLogWhatADrainLeft() throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "leaving",
            ConfigFactory.parseString(
                    "millrace { handshake { provider = psk, psk = \""
                        + KEY
                        + "\" }, nic.driver = udp-nio, limits.shutdown-drain = 200 ms }")
                .withFallback(ConfigFactory.load()));
    Transport server = Transport.create(system);
    CountDownLatch asked = new CountDownLatch(2);
    server.serve(
        SOUND,
        request -> {
          asked.countDown();
          return new CompletableFuture<>();
        });
    try (Transport client = start(KEY, "")) {
      Peer peer = client.peer(server.address());
      CompletableFuture<?> first = peer.unary(SOUND, ByteString.fromString("x"));
      CompletableFuture<?> second = peer.unary(SOUND, ByteString.fromString("y"));
      assertTrue(asked.await(LIMIT_S, TimeUnit.SECONDS));
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);

      ILoggingEvent event = lines.next();
      assertEquals(Level.WARN, event.getLevel());
      assertEquals(
          "Closing, though a drain of 200 ms left 2 transfers of peers and 0 of this node under"
              + " way; peers that may have more: 1",
          event.getFormattedMessage());
      assertThrows(
          CompletionException.class, () -> first.orTimeout(LIMIT_S, TimeUnit.SECONDS).join());
      assertThrows(
          CompletionException.class, () -> second.orTimeout(LIMIT_S, TimeUnit.SECONDS).join());
    }
    assertTrue(lines.events.isEmpty());
  }

  /** A blocked appender holds up neither the worker nor the handshakes. */
  @Test
  void shouldGoOnWhileAnAppenderBlocks() throws Exception {
    lines.gate = new CountDownLatch(1);
    try (Transport server = server("");
        Transport client = start(KEY, "")) {
      fail(client, server);
      assertTrue(lines.blocked.await(LIMIT_S, TimeUnit.SECONDS));
      fail(client, server);
      try (Transport another = start(KEY, "")) {
        another
            .peer(server.address())
            .unary(SOUND, ByteString.fromString("x"))
            .get(LIMIT_S, TimeUnit.SECONDS);
      }
      assertTrue(lines.events.isEmpty());
      lines.gate.countDown();
      lines.next();
      lines.next();
    }
  }

  @Test
  void shouldLogNothingIfItIsTurnedOff() {
    try (Transport server = server("millrace.events.log = off");
        Transport client = start(KEY, "")) {
      fail(client, server);
      assertEquals(1, server.snapshot().handlerFaults());
    }
    assertTrue(lines.events.isEmpty());
  }
}
