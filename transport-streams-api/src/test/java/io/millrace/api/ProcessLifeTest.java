package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.millrace.config.SettingsException;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a node in a process and in an actor system. */
@Timeout(120)
class ProcessLifeTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final ByteString BYTES = ByteString.fromString("grain");

  /**
   * Only the node keeps the process alive, and SIGTERM ends the process after the answer of the
   * call.
   */
  @ParameterizedTest
  @EnumSource
  void shouldLiveWhileItServesAndAnswerWhatItHasWhenToldToEnd(ServingMain.Life life)
      throws Exception {
    try (NodeProcess process = NodeProcess.start(ServingMain.class, life.name());
        Transport client = Transport.start(TwoNodes.settings(""))) {
      String address = process.await("address")[1];
      Call<ByteString> call = client.peer(address).unary(ServingMain.SLOW, BYTES);
      process.await("asked");
      process.terminate();

      assertEquals(BYTES, call.get(20, TimeUnit.SECONDS));
      assertEquals(128 + 15, process.end());
    }
  }

  @Test
  void shouldServeInTheSystemOfTheApplicationByItsConfiguration() throws Exception {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            "application",
            ConfigFactory.parseString(
                "millrace { handshake { provider = psk, psk = \""
                    + TwoNodes.PSK
                    + "\" }, nic.driver = udp-nio, limits.headers = 77 }\n"
                    // Pekko's testkit of streams is older than the other modules, and is only on
                    // the class path of the tests.
                    + "pekko.fail-mixed-versions = off"));
    Transport server = Transport.create(system);
    try (Transport client = Transport.start(TwoNodes.settings(""))) {
      server.serve(ECHO, CompletableFuture::completedFuture);
      Peer peer = client.peer(server.address());

      assertEquals(BYTES, peer.unary(ECHO, BYTES).get(20, TimeUnit.SECONDS));
      assertEquals(
          BYTES,
          Source.single(BYTES)
              .via(peer.unaryFlow(ECHO, 1))
              .runWith(Sink.head(), client.materializer())
              .toCompletableFuture()
              .get(20, TimeUnit.SECONDS));
      assertThrows(
          IllegalArgumentException.class,
          () ->
              server
                  .peer(client.address())
                  .unary(ECHO, BYTES, TransferOptions.DEFAULTS.withHeader("long", "x".repeat(77))));

      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(60, TimeUnit.SECONDS);
      ExecutionException failed =
          assertThrows(
              ExecutionException.class, () -> peer.unary(ECHO, BYTES).get(20, TimeUnit.SECONDS));
      CallException ended = assertInstanceOf(CallException.class, failed.getCause());
      assertTrue(ended.isRetryable(), ended::toString);
      assertEquals(CallOutcome.Execution.NO, ended.wasExecuted());
    }
  }

  @Test
  void shouldNameTheKeyThatTheSystemsConfigurationLacks() {
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "keyless");
    try {
      String text =
          String.valueOf(
              assertThrows(SettingsException.class, () -> Transport.create(system)).getMessage());
      assertTrue(text.contains("millrace.handshake.tls.authorities"), text);
    } finally {
      system.terminate();
    }
  }
}
