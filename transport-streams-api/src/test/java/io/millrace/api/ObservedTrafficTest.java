package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.body.ForwardingSource;
import io.millrace.event.Count;
import io.millrace.event.EventKind;
import io.millrace.event.EventText;
import io.millrace.event.LatencyCounts;
import io.millrace.event.LatencyStage;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransferPattern;
import io.millrace.event.WorkerActivity;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The events of calls and bulk transfers over lossy links at a subscriber, and the sums of the
 * events.
 */
final class ObservedTrafficTest {
  private static final int CALLS = 40;
  private static final int BULK_BYTES = 500_000;
  private static final long DELAY_NS = 100_000;
  private static final long LATE_NS = 5 * SimulatedCluster.SECOND_NS;

  /** The kinds of events that this traffic causes; {@code GrantsExhausted} needs a crowd. */
  private static final Set<EventKind> EXPECTED =
      EnumSet.of(
          EventKind.PACKET_SENT,
          EventKind.PACKET_RECEIVED,
          EventKind.PACKET_LOST,
          EventKind.MESSAGE_SENT,
          EventKind.MESSAGE_RECEIVED,
          EventKind.TRANSFER_STARTED,
          EventKind.TRANSFER_SENT,
          EventKind.TRANSFER_ACKNOWLEDGED,
          EventKind.TRANSFER_ENDED,
          EventKind.TRANSFER_SERVED,
          EventKind.FRAME_RETRIED,
          EventKind.TOKENS_REQUESTED,
          EventKind.TOKEN_GRANTED,
          EventKind.WRITE_NOTIFIED,
          EventKind.WRITE_COMPLETED,
          EventKind.CONGESTION_CHANGED);

  /** A subscriber that counts events, and keeps the stages of each transfer and the intervals. */
  private static final class Observer extends EventText {
    private final Map<EventKind, Integer> seen = new EnumMap<>(EventKind.class);
    private final Map<Long, List<String>> transfers = new HashMap<>();
    private final List<WorkerActivity> intervals = new ArrayList<>();
    private long latencyNs;

    @Override
    protected void onEvent(EventKind kind, String text) {
      seen.merge(kind, 1, Integer::sum);
    }

    private void step(long transfer, String what) {
      transfers.computeIfAbsent(transfer, id -> new ArrayList<>()).add(what);
    }

    @Override
    public void onTransferStarted(
        int worker, String peer, long transfer, int priority, long bytes) {
      super.onTransferStarted(worker, peer, transfer, priority, bytes);
      step(transfer, "started to " + peer);
    }

    @Override
    public void onTransferSent(int worker, String peer, long transfer) {
      super.onTransferSent(worker, peer, transfer);
      step(transfer, "sent");
    }

    @Override
    public void onTransferEnded(
        int worker, String peer, long transfer, CallOutcome outcome, long tookNs) {
      super.onTransferEnded(worker, peer, transfer, outcome, tookNs);
      latencyNs = Math.max(latencyNs, tookNs);
      step(transfer, outcome.name());
    }

    @Override
    public void onWorkerActivity(WorkerActivity activity) {
      intervals.add(activity);
    }

    private int seen(EventKind kind) {
      return seen.getOrDefault(kind, 0);
    }

    private long counted(Count count) {
      return intervals.stream().mapToLong(each -> each.count(count)).sum();
    }

    private long longestNs(LatencyStage stage) {
      return intervals.stream()
          .flatMap(each -> each.latencies().stream())
          .filter(each -> each.stage() == stage)
          .flatMapToInt(
              each -> IntStream.range(0, LatencyCounts.BUCKETS).filter(i -> each.count(i) > 0))
          .mapToLong(LatencyCounts::highestNs)
          .max()
          .orElseThrow();
    }

    private long times(LatencyStage stage, TransferPattern pattern) {
      return intervals.stream()
          .flatMap(each -> each.latencies().stream())
          .filter(each -> each.stage() == stage && each.pattern() == pattern)
          .mapToLong(each -> IntStream.range(0, LatencyCounts.BUCKETS).mapToLong(each::count).sum())
          .sum();
    }
  }

  /** A source without bytes until the test opens the source. */
  private static final class LateSource extends ForwardingSource {
    private boolean isOpen;
    private Runnable resume = () -> {};

    LateSource(byte[] bytes) {
      super(new ArraySource(bytes, 0, bytes.length));
    }

    void open() {
      isOpen = true;
      resume.run();
    }

    @Override
    public void start(Runnable toResume) {
      resume = toResume;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return isOpen ? super.read(into, offset, length) : 0;
    }

    @Override
    public @Nullable LentBytes lend(int most) {
      return null;
    }
  }

  private static void traffic(SimulatedCluster nodes) throws Exception {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, KnownBytes.of(i, 100)));
    }
    for (CompletableFuture<UnaryResponse> call : calls) {
      nodes.await(call, 10 * SimulatedCluster.SECOND_NS);
    }
    LateSource source = new LateSource(KnownBytes.of(1, BULK_BYTES));
    var write =
        Raw.bulkWrite(nodes.peer(0, 1), SimulatedCluster.STORE, source, TransferOptions.DEFAULTS);
    nodes.simulation.runUntil(() -> false, nodes.simulation.nowNs() + LATE_NS);
    source.open();
    nodes.await(write, 60 * SimulatedCluster.SECOND_NS);
  }

  /** Checks the stages: each call waits and ends; the body waits for memory and is written. */
  private static void assertStages(Observer client) {
    assertEquals(CALLS, client.times(LatencyStage.TRANSFER, TransferPattern.UNARY));
    assertEquals(CALLS, client.times(LatencyStage.QUEUE_WAIT, TransferPattern.UNARY));
    for (LatencyStage each :
        List.of(LatencyStage.TRANSFER, LatencyStage.GRANT_WAIT, LatencyStage.WRITE)) {
      assertEquals(1, client.times(each, TransferPattern.BULK), each::name);
    }
    // The time of the source is no wait for memory; packets of the question may be lost.
    assertTrue(client.longestNs(LatencyStage.GRANT_WAIT) < 100 * DELAY_NS);
  }

  @Test
  void shouldShowWhatHappensToPacketsMessagesAndTransfers() throws Exception {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(100_000));
    NetworkSettings lossy = NetworkSettings.clean(DELAY_NS).withLink(link);
    Observer client = new Observer();
    Observer server = new Observer();
    SubscriptionOptions all =
        SubscriptionOptions.DEFAULTS.withData().withActivityEvery(Duration.ofMillis(50));
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(3)) {
            SimulatedCluster nodes =
                new SimulatedCluster(simulation, 2, lossy, KnownBytes.of(1, 10));
            nodes.transport(0).subscribe(client, all);
            nodes.transport(1).subscribe(server, all);
            traffic(nodes);
            simulation.runUntil(simulation.nowNs() + SimulatedCluster.SECOND_NS);
          }
          return null;
        });

    Set<EventKind> seen = EnumSet.copyOf(client.seen.keySet());
    seen.addAll(server.seen.keySet());
    assertTrue(seen.containsAll(EXPECTED), () -> "only " + seen);
    assertEquals(CALLS + 1, client.transfers.size());
    assertTrue(
        client.transfers.values().stream()
            .allMatch(
                steps ->
                    steps.getFirst().equals("started to 10.0.0.1:7000")
                        && steps.getLast().equals("OK")
                        && steps.size() <= 3),
        () -> client.transfers.toString());

    // The sums of the intervals equal the counts of single events.
    assertEquals(client.seen(EventKind.PACKET_LOST), client.counted(Count.PACKETS_LOST));
    assertEquals(client.seen(EventKind.PACKET_RECEIVED), client.counted(Count.PACKETS_RECEIVED));
    assertEquals(client.seen(EventKind.PACKET_SENT), client.counted(Count.PACKETS_SENT));
    assertEquals(client.seen(EventKind.FRAME_RETRIED), client.counted(Count.FRAMES_RETRANSMITTED));
    assertEquals(server.seen(EventKind.TRANSFER_SERVED), server.counted(Count.REQUESTS_SERVED));
    assertEquals(server.seen(EventKind.TOKEN_GRANTED), server.counted(Count.TOKENS_GRANTED));
    assertStages(client);
    assertTrue(client.latencyNs >= 2 * DELAY_NS);
    WorkerActivity last =
        client.intervals.stream()
            .max(Comparator.comparingLong(WorkerActivity::endNs))
            .orElseThrow();
    assertEquals(1, last.paths().size());
    assertTrue(last.paths().getFirst().state().smoothedRttNs() >= 2 * DELAY_NS);
    assertEquals(0, last.paths().getFirst().state().openTransfers());
  }
}
