package io.millrace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Data events go through rings, and the work of workers comes in intervals without a gap. */
class DataAndActivityTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private long sentBytes;
  private long nowNs;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<Runnable> ticks = new ArrayList<>();
  private final List<Throwable> reported = new ArrayList<>();
  private final WorkerCounts counts = new WorkerCounts();
  private final StageLatencies latencies = new StageLatencies();
  private final DataEvents data = new DataEvents(7);
  private final EventSubscribers events =
      new EventSubscribers(
          new EventSubscribers.Means(
              reported::add, () -> thread, (interval, task) -> tick(task), () -> nowNs));

  private AutoCloseable tick(Runnable task) {
    ticks.add(task);
    return () -> ticks.remove(task);
  }

  private final class Probe implements WorkerProbe {
    @Override
    public int worker() {
      return 7;
    }

    @Override
    public WorkerCounts counts() {
      return counts;
    }

    @Override
    public long gauge(Gauge gauge) {
      return gauge.ordinal() + 100L;
    }

    @Override
    public StageLatencies latencies() {
      return latencies;
    }

    @Override
    public List<PathProbe> paths(int most) {
      return List.of();
    }

    @Override
    public List<NicTraffic> nics() {
      return List.of(new NicTraffic("eth0", "udp", sentBytes, 0, 0, 0, 0));
    }
  }

  /** Notes data events as text, and activity. */
  private static final class Noting extends EventText {
    private final List<String> told = new ArrayList<>();
    private final List<WorkerActivity> activity = new ArrayList<>();
    private boolean isThrowing;

    @Override
    protected void onEvent(EventKind kind, String text) {
      told.add(text);
      if (isThrowing) {
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public void onWorkerActivity(WorkerActivity of) {
      activity.add(of);
      if (isThrowing) {
        throw new IllegalStateException("on purpose");
      }
    }
  }

  DataAndActivityTest() {
    events.onWorkers(List.of(new Probe()), List.of(data));
  }

  @AfterEach
  void end() {
    thread.shutdownNow();
  }

  private void runTicks() throws Exception {
    List.copyOf(ticks).forEach(Runnable::run);
    Future<?> behind = thread.submit(() -> {});
    behind.get();
  }

  @Test
  void shouldTellDataEventsInOrderToWhoWantsThem() throws Exception {
    Noting other = new Noting();
    events.add(other, SubscriptionOptions.DEFAULTS);
    assertFalse(data.isHeard());
    data.packetSent(9, 1, 100);

    Noting noting = new Noting();
    EventSubscription subscription = events.add(noting, SubscriptionOptions.DEFAULTS.withData());
    assertTrue(data.isHeard());
    events.onPathOpened(7, "b:1", 9);
    data.packetSent(9, 2, 1_400);
    data.transferEnded(9, 33, CallOutcome.EXPIRED, 5_000_000_000L);
    data.packetDropped(DropReason.DUPLICATE);
    runTicks();
    assertEquals(
        List.of(
            "PathOpened worker=7 peer=b:1 pathId=9",
            "PacketSent worker=7 peer=b:1 packetNumber=2 bytes=1400",
            "TransferEnded worker=7 peer=b:1 transfer=33 outcome=EXPIRED latencyNs=5000000000",
            "PacketDropped worker=7 reason=DUPLICATE"),
        noting.told);
    assertEquals(List.of("PathOpened worker=7 peer=b:1 pathId=9"), other.told);

    subscription.close();
    assertFalse(data.isHeard());
    assertTrue(ticks.isEmpty());
  }

  @Test
  void shouldCountWhatAFullRingDropsAndGoOn() throws Exception {
    Noting noting = new Noting();
    EventSubscription subscription =
        events.add(noting, SubscriptionOptions.DEFAULTS.withData(4_096).withActivityEvery(SECOND));
    for (int i = 0; i < 200; i++) {
      data.packetSent(9, i, 100);
    }
    runTicks();
    int taken = noting.told.size();
    assertTrue(taken > 50 && taken < 200);
    assertEquals(200 - taken, subscription.dropped());
    assertEquals(200 - taken, noting.activity.getLast().eventsDropped());

    data.packetSent(9, 200, 100);
    runTicks();
    assertEquals("PacketSent worker=7 peer= packetNumber=200 bytes=100", noting.told.getLast());
    assertEquals(0, noting.activity.getLast().eventsDropped());
  }

  @Test
  void shouldMeasureIntervalsThatLeaveNothingOut() throws Exception {
    counts.packetsSent = 1_000;
    sentBytes = 500;
    nowNs = 10;
    Noting noting = new Noting();
    events.add(noting, SubscriptionOptions.DEFAULTS.withActivityEvery(SECOND));
    counts.packetsSent += 3;
    sentBytes += 70;
    latencies.record(LatencyStage.TRANSFER, 4, 7, 1_000);
    latencies.record(LatencyStage.WRITE, 1, 0, 1_000);
    nowNs = 20;
    noting.isThrowing = true;
    runTicks();
    counts.packetsSent += 4;
    nowNs = 50;
    noting.isThrowing = false;
    runTicks();

    WorkerActivity first = noting.activity.getFirst();
    assertEquals(10, first.startNs());
    assertEquals(3, first.count(Count.PACKETS_SENT));
    assertEquals(70, first.nics().getFirst().bytesSent());
    assertEquals(1, first.latencies(LatencyCounts.bucketOf(1_000)));
    assertEquals(
        List.of("TRANSFER bulk 7 1", "WRITE streaming response 0 1"),
        first.latencies().stream().map(DataAndActivityTest::text).toList());
    assertEquals(Gauge.LOAD_BYTES.ordinal() + 100, first.gauge(Gauge.LOAD_BYTES));
    WorkerActivity second = noting.activity.getLast();
    assertEquals(first.endNs(), second.startNs());
    assertEquals(4, second.count(Count.PACKETS_SENT));
    assertEquals(0, second.latencies(LatencyCounts.bucketOf(1_000)));
    assertEquals(1, reported.size());
  }

  private static String text(LatencyActivity each) {
    String kind = each.stage() + " " + each.pattern().text() + " " + each.priority();
    return kind + " " + each.count(LatencyCounts.bucketOf(1_000));
  }

  @Test
  void shouldTellTheLastIntervalWhenTheNodeCloses() {
    Noting noting = new Noting();
    events.add(noting, SubscriptionOptions.DEFAULTS.withActivityEvery(SECOND));
    counts.packetsLost = 5;
    events.close();
    assertEquals(5, noting.activity.getLast().count(Count.PACKETS_LOST));
  }

  @Test
  void shouldKeepLatenciesWithinAnEighth() {
    int last = -1;
    for (long ns = 0; ns < 1L << 43; ns += 1 + ns / 50) {
      int bucket = LatencyCounts.bucketOf(ns);
      assertTrue(bucket >= last && bucket < LatencyCounts.BUCKETS);
      if (ns < 1L << 42) {
        long highest = LatencyCounts.highestNs(bucket);
        assertTrue(highest >= ns && highest - ns <= ns / 8, () -> "bucket " + bucket);
      }
      last = bucket;
    }
    assertEquals(0, LatencyCounts.bucketOf(-5));
    assertEquals(LatencyCounts.BUCKETS - 1, LatencyCounts.bucketOf(Long.MAX_VALUE));
  }
}
