package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The third example of docs/simulation.md: a server in a JVM of its own stops, dies and returns.
 */
@ClusterTest(
    names = {"server", "client"},
    limitSeconds = 60)
@Timeout(180)
class RestartClusterTest {
  private static final Route<String, Integer> LIFE =
      Route.of("life", JacksonCodec.of(String.class), JacksonCodec.of(Integer.class));
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
              """
              millrace.profile = dedicated
              millrace.handshake.timeout = 1 s
              millrace.recovery.fail-after = 2 s
              """)
          .withPsk("0123456789abcdef".repeat(4));
  private static final long BETWEEN_QUESTIONS_NS = 10_000_000;

  private static Transport start(String listen) {
    return Transport.start(SETTINGS.withHandshakeAddress(listen));
  }

  /** A server that answers with the number of its life; each life listens at the same address. */
  record Server(String listen) implements NodeProgram {
    @Override
    public void run(NodeHandle self) throws Exception {
      try (Transport transport = start(listen)) {
        transport.serve(LIFE, _ -> CompletableFuture.completedFuture(self.incarnation()));
        self.publish("address", transport.address());
        if (self.incarnation() == 1) {
          self.barrier("both are up");
        }
        self.awaitStop();
      }
    }
  }

  /** Calls until the stop, and publishes each answer. */
  static void ask(NodeHandle self) throws Exception {
    try (Transport transport = start("127.0.0.1:0")) {
      Peer server = transport.peer(self.await("address"));
      self.barrier("both are up");
      while (!self.isStopping()) {
        String life =
            server
                .unary(LIFE, "which?")
                .thenApply(String::valueOf)
                .exceptionally(failure -> "none")
                .get(30, TimeUnit.SECONDS);
        self.publish("answer " + life, "");
        LockSupport.parkNanos(BETWEEN_QUESTIONS_NS);
      }
      self.result("stopped");
    }
  }

  @Test
  void shouldAskTheNextLifeOfAServerThatWasKilled(Cluster cluster) throws Exception {
    ClusterNode server = cluster.node("server");
    server.run(new Server("127.0.0.1:0"));
    cluster.node("client").run(RestartClusterTest::ask);
    cluster.awaitBarrier("both are up");
    cluster.await("answer 1");
    String address = cluster.await("address");

    server.pause();
    cluster.await("answer none");
    server.resume();
    server.kill();
    server.restart(new Server(address));

    cluster.await("answer 2");
    assertEquals("stopped", cluster.node("client").stop());
    assertEquals("", server.stop());
  }
}
