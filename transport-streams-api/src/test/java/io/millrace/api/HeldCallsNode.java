package io.millrace.api;

import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.wire.RouteId;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A node of {@link HeldCallsTest}: one node makes calls, the other node answers on command. */
record HeldCallsNode() implements NodeProgram {
  static final int CALLS = 100_000;
  static final int PAYLOAD_BYTES = 32;

  static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String ALL_ARRIVED = "all have arrived";
  private static final String ALL_MEASURED = "all have measured";
  private static final RouteId HOLD = RouteId.of("hold");
  private static final String SETTINGS =
      """
      millrace.nic.driver = auto
      millrace.limits { concurrent-transfers = 131072, waiting-calls = 131072, executor-queue = 262144 }
      millrace.workers.submission-depth = 131072
      millrace.limits { inline-credit = 64 MiB, inline-budget = 512 MiB }
      """;

  @Override
  public void run(NodeHandle self) throws Exception {
    try (Transport transport = Transport.start(TwoNodes.settings(SETTINGS))) {
      if (self.name().equals("holder")) {
        hold(self, transport);
      } else {
        call(self, transport);
      }
    }
  }

  private static void hold(NodeHandle self, Transport transport) throws Exception {
    CountDownLatch arrived = new CountDownLatch(CALLS + 1);
    CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
    Raw.serve(
        transport,
        HOLD,
        call -> {
          arrived.countDown();
          return call.payload().length == 1
              ? CompletableFuture.completedFuture(UnaryResponse.of(new byte[1]))
              : answer;
        });
    self.publish("address", transport.address());
    self.barrier("is connected", self.names(), LIMIT);
    long before = usedBytes();
    self.barrier("may call", self.names(), LIMIT);
    if (!arrived.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError(arrived.getCount() + " calls have not arrived");
    }
    self.barrier(ALL_ARRIVED, self.names(), LIMIT);
    self.result(String.valueOf((usedBytes() - before) / CALLS));
    self.barrier(ALL_MEASURED, self.names(), LIMIT);
    answer.complete(UnaryResponse.of(new byte[1]));
    self.barrier("all are answered", self.names(), LIMIT);
  }

  private static void call(NodeHandle self, Transport transport) throws Exception {
    Peer peer = transport.peer(self.await("address"));
    Raw.unary(peer, HOLD, new byte[1]).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    self.barrier("is connected", self.names(), LIMIT);
    byte[] payload = new byte[PAYLOAD_BYTES];
    CompletableFuture<?>[] calls = new CompletableFuture<?>[CALLS];
    long before = usedBytes();
    self.barrier("may call", self.names(), LIMIT);
    for (int i = 0; i < CALLS; i++) {
      calls[i] = Raw.unary(peer, HOLD, payload);
    }
    self.barrier(ALL_ARRIVED, self.names(), LIMIT);
    self.result(String.valueOf((usedBytes() - before) / CALLS));
    self.barrier(ALL_MEASURED, self.names(), LIMIT);
    CompletableFuture.allOf(calls).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    self.barrier("all are answered", self.names(), LIMIT);
  }

  /** Returns the bytes in use on the heap after a garbage collection. */
  private static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
