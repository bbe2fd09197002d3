package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** A node of {@link SenderCrowdTest}: the receiver, or a hundred senders in one JVM. */
record CrowdNode() implements NodeProgram {
  private static final String ALL_WRITTEN = "all have written";
  static final int SENDERS = 100;
  static final Duration LIMIT = Duration.ofMinutes(2);

  private static final String ALL_READY = "all are ready";
  private static final String MEASURED = "what the receiver holds is known";
  private static final String ADDRESS = "address";
  private static final RouteId STORE = RouteId.of("store");
  private static final int BULK_BYTES = 1 << 20;

  /** The number of bodies between two samples of the receiver's memory. */
  private static final int STRIDE = 25;

  /** The receiver gets 300 MiB; live memory never grows by more than this bound. */
  private static final long MOST_GROWTH_BYTES = 8 << 20;

  /** The bound includes compiled code and the stacks of threads. */
  private static final long MOST_RESIDENT_GROWTH_BYTES = 24 << 20;

  /** 128 regions of 64 KiB and 32 of 256 KiB: 16 MiB. */
  private static final String RECEIVER =
      """
      millrace.nic.driver = auto
      millrace.regions { sizes = [64 KiB, 256 KiB], counts = [128, 32] }
      """;

  private static final String SENDER =
      """
      millrace {
        nic { driver = auto, receive-buffer = 256 KiB, send-buffer = 256 KiB, send-buffers = 4 }
        limits { peers = 4, inline-budget = 1 MiB, inline-credit = 64 KiB, answer-budget = 1 MiB }
        limits { concurrent-transfers = 64, waiting-calls = 64, executor-queue = 64 }
        workers { submission-depth = 64, wheel-slots = 1024 }
        transfers { buffer-pool = 1 MiB, window = 512 KiB }
        regions { sizes = [64 KiB], counts = [1], grant-budget = 64 KiB, per-peer = 64 KiB }
      }
      """;

  @Override
  public void run(NodeHandle self) throws Exception {
    if (self.name().equals("receiver")) {
      receive(self);
    } else {
      send(self);
    }
  }

  private static void receive(NodeHandle self) throws Exception {
    AtomicInteger right = new AtomicInteger();
    MemorySeries memory = new MemorySeries();
    try (Transport transport = Transport.start(TwoNodes.settings(RECEIVER))) {
      Raw.serveBulkWrites(
          transport,
          STORE,
          offer -> CompletableFuture.completedFuture(new Checking(right, memory)));
      self.publish(ADDRESS, transport.address());
      self.barrier(ALL_READY, self.names(), LIMIT);
      memory.sample(0);
      self.barrier(MEASURED, self.names(), LIMIT);
      self.barrier(ALL_WRITTEN, self.names(), LIMIT);
      WorkerSnapshot.Regions regions = transport.snapshot().workers().getFirst().bodies().regions();
      long budget = transport.pool().settings().regions().grantBudgetBytes();
      long peak = regions.peakOutstandingBytes();
      check(peak <= budget && peak > budget / 2, peak + " bytes of " + budget);
      check(right.get() == 3 * SENDERS, right + " writes were right");
      check(memory.count() == 1 + 3 * SENDERS / STRIDE, memory.count() + " samples");
      check(memory.liveGrowthBytes() <= MOST_GROWTH_BYTES, memory.toString());
      check(memory.residentGrowthBytes() <= MOST_RESIDENT_GROWTH_BYTES, memory.toString());
      self.result(
          "%d senders, 1 MiB each: most authorised %d of %d bytes, %s bodies"
              .formatted(right.get(), peak, budget, memory));
    }
  }

  private static void send(NodeHandle self) throws Exception {
    String address = self.await(ADDRESS);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "senders");
    List<Transport> transports = new ArrayList<>();
    try {
      List<Peer> peers = new ArrayList<>();
      for (int i = 0; i < SENDERS; i++) {
        Transport transport =
            Transport.builder(TwoNodes.settings(SENDER))
                .system(system)
                .executor(threads, 2)
                .start();
        transports.add(transport);
        Peer peer = transport.peer(address);
        peer.connect().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        peers.add(peer);
      }
      self.barrier(ALL_READY, self.names(), LIMIT);
      self.barrier(MEASURED, self.names(), LIMIT);
      List<CompletableFuture<BulkReceipt>> writes = new ArrayList<>();
      byte[] bytes = BodyTest.random(BULK_BYTES, 1);
      for (Peer peer : peers) {
        ArraySource source = new ArraySource(bytes, 0, BULK_BYTES);
        writes.add(Raw.bulkWrite(peer, STORE, source, TransferOptions.DEFAULTS));
      }
      int done = 0;
      for (CompletableFuture<BulkReceipt> write : writes) {
        done += write.get(LIMIT.toSeconds(), TimeUnit.SECONDS).bytes() == BULK_BYTES ? 1 : 0;
      }
      self.barrier(ALL_WRITTEN, self.names(), LIMIT);
      self.result(done + " writes were right");
    } finally {
      transports.forEach(Transport::close);
      system.terminate();
      threads.shutdown();
    }
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }

  /** A target that compares the received bytes with the sent bytes. */
  private static final class Checking implements BodyTarget {
    private static final byte[] RIGHT = BodyTest.random(BULK_BYTES, 1);

    private final AtomicInteger right;
    private final MemorySeries memory;
    private int position;

    Checking(AtomicInteger right, MemorySeries memory) {
      this.right = right;
      this.memory = memory;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      for (int i = 0; i < length; i++) {
        if (bytes[offset + i] != RIGHT[position + i]) {
          throw new IOException("byte " + (position + i) + " is wrong");
        }
      }
      position += length;
    }

    @Override
    public void complete() throws IOException {
      if (position == BULK_BYTES) {
        int count = right.incrementAndGet();
        if (count % STRIDE == 0) {
          memory.sample(count);
        }
      }
    }

    @Override
    public void abort(Throwable cause) {}
  }
}
