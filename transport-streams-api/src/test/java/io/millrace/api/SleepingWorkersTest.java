package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.millrace.config.TransportSettings;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Workers that sleep at once, and for an hour unless a packet or task arrives. */
@EnabledOnOs(OS.LINUX)
@Timeout(100)
class SleepingWorkersTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int CALLS = 1_000;

  /** A wrong park costs a second, and a thousand wrong parks fail the test. */
  private static final String SLEEPY =
      """
      millrace.worker-dispatcher.backoff {
        spins = 0, yields = 0, max-wait = 1 h, min-park = 1 s, max-park = 1 s
      }
      """;

  @Test
  void shouldWakeUpForWhatComesFromTheNetwork() throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "sleepy",
            ConfigFactory.parseString(SLEEPY).withFallback(ConfigFactory.load()));
    TransportSettings settings = TwoNodes.small("").withDriver("udp");
    try (Transport server = Transport.builder(settings).system(system).start();
        Transport client = Transport.builder(settings).system(system).start()) {
      Raw.serve(
          server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Peer peer = client.peer(server.address());
      for (int i = 0; i < CALLS; i++) {
        byte[] answer =
            Raw.unary(peer, ECHO, new byte[] {(byte) i}).get(50, TimeUnit.SECONDS).payload();
        assertEquals((byte) i, answer[0]);
      }
      long parks = server.snapshot().workers().stream().mapToLong(worker -> worker.parks()).sum();
      assertTrue(parks > CALLS / 2, () -> "the server slept " + parks + " times");
    } finally {
      system.terminate();
    }
  }
}
