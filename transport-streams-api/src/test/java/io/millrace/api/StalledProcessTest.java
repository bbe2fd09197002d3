package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.ClusterTest;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two processes with the profile of shared machines, of which one stands still by SIGSTOP under
 * load; then the server is killed and starts again. With each commit: StalledNodesTest and
 * WaitForReadyTest, in the simulator.
 */
@ClusterTest(names = {"server", "client"})
@Tag("soak")
@Timeout(120)
class StalledProcessTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int LANES = 16;
  private static final int MANY = 2_000;
  private static final String BOTH_UP = "both are up";
  private static final String CALLS = "calls of phase ";
  private static final String NEXT = "phase ";
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private static TransportSettings settings(String listen) {
    return TransportSettings.parse("millrace.profile = shared")
        .withPsk("0123456789abcdef".repeat(4))
        .withHandshakeAddress(listen);
  }

  /** A server of an echo; each life listens at the same address. */
  record Server(String listen) implements NodeProgram {
    @Override
    public void run(NodeHandle self) throws Exception {
      try (Transport transport = Transport.start(settings(listen))) {
        Raw.serve(
            transport,
            ECHO,
            call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
        self.publish("address", transport.address());
        if (self.incarnation() == 1) {
          self.barrier(BOTH_UP);
        }
        self.awaitStop();
      }
    }
  }

  /** Lanes of calls, each call after the end of the call before, until the stop. */
  private static final class Lanes {
    private final Peer peer;
    private final NodeHandle self;
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicLong longestNs = new AtomicLong();
    private final ConcurrentLinkedQueue<CallException> failures = new ConcurrentLinkedQueue<>();
    private final TransferOptions options =
        TransferOptions.DEFAULTS.withDeadline(DEADLINE).waitForReady(DEADLINE);

    Lanes(Peer peer, NodeHandle self) {
      this.peer = peer;
      this.self = self;
    }

    CompletableFuture<Void> lane() {
      if (self.isStopping()) {
        return CompletableFuture.completedFuture(null);
      }
      long beganNs = System.nanoTime();
      return Raw.unary(peer, new UnaryRequest(ECHO, new byte[100], options))
          .handle(
              (_, thrown) -> {
                if (thrown instanceof CallException failure) {
                  // A young server listens before it serves.
                  boolean isEarly = failure.outcome() == CallOutcome.UNKNOWN_ROUTE;
                  failures.addAll(isEarly ? List.of() : List.of(failure));
                } else {
                  answered.incrementAndGet();
                }
                longestNs.accumulateAndGet(System.nanoTime() - beganNs, Math::max);
                return null;
              })
          .thenComposeAsync(_ -> lane());
    }

    /** Waits for many further answers, and tells the failures and the longest call until then. */
    String next(int phase) throws Exception {
      int before = answered.get();
      self.awaitUntil("many calls of phase " + phase, () -> answered.get() >= before + MANY);
      TreeSet<String> kinds = new TreeSet<>();
      List<CallException> ended = new ArrayList<>(failures);
      failures.removeAll(ended);
      ended.forEach(each -> kinds.add(each.outcome() + " " + each.wasExecuted()));
      long longestMs = TimeUnit.NANOSECONDS.toMillis(longestNs.getAndSet(0));
      System.out.printf("phase %d: failed %d, longest %d ms%n", phase, ended.size(), longestMs);
      return ended.size() + " " + kinds + " " + (longestMs >= 900 ? "stalled" : "quick");
    }
  }

  static void call(NodeHandle self) throws Exception {
    try (Transport transport = Transport.start(settings("127.0.0.1:0"))) {
      Peer server = transport.peer(self.await("address"));
      self.barrier(BOTH_UP);
      Lanes lanes = new Lanes(server, self);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        all.add(lanes.lane());
      }
      for (int phase = 0; phase < 4; phase++) {
        self.await(NEXT + phase);
        self.publish(CALLS + phase, lanes.next(phase));
      }
      self.awaitStop();
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
      self.result("ended");
    }
  }

  private static void pass(long ms) throws Exception {
    CompletableFuture.runAsync(
            () -> {}, CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS))
        .get();
  }

  private static String phase(Cluster cluster, int phase) throws Exception {
    cluster.publish(NEXT + phase, "");
    return cluster.await(CALLS + phase);
  }

  @Test
  void shouldLoseNoCallToAStallAndOnlyCallsUnderWayToAKill(Cluster cluster) throws Exception {
    ClusterNode server = cluster.node("server");
    ClusterNode client = cluster.node("client");
    server.run(new Server("127.0.0.1:0"));
    client.run(StalledProcessTest::call);
    cluster.awaitBarrier(BOTH_UP);
    final String address = cluster.await("address");
    assertTrue(phase(cluster, 0).startsWith("0 [] "));

    server.pause();
    pass(1_000);
    server.resume();
    assertEquals("0 [] stalled", phase(cluster, 1));

    client.pause();
    pass(2_000);
    client.resume();
    assertEquals("0 [] stalled", phase(cluster, 2));

    server.kill();
    server.restart(new Server(address));
    String killed = phase(cluster, 3);
    int failed = Integer.parseInt(killed.substring(0, killed.indexOf(' ')));
    assertTrue(failed <= LANES, killed);
    for (CallOutcome unsent :
        List.of(CallOutcome.PEER_UNREACHABLE, CallOutcome.HANDSHAKE_FAILED, CallOutcome.EXPIRED)) {
      assertTrue(!killed.contains(unsent.name()), killed);
    }
    assertEquals("ended", client.stop());
    assertEquals("", server.stop());
  }
}
