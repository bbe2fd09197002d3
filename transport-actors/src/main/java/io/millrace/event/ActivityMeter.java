package io.millrace.event;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * Computes the activity of workers in an interval from the workers' cumulative counts. Each
 * subscriber has a meter, so an interval that the subscriber missed is part of the next interval.
 * On the subscriber's thread.
 */
final class ActivityMeter {
  private static final Count[] COUNTS = Count.values();
  private static final Gauge[] GAUGES = Gauge.values();

  /** A node has at most this number of paths told of each worker. */
  private static final int MOST_PATHS = 1_000;

  private static final long[] NEW_PATH = {0, 0};

  private final LongSupplier clock;
  private final List<Last> workers = new ArrayList<>();

  /** Where a worker's counts stood when the last interval ended. */
  private static final class Last {
    private final WorkerProbe probe;
    private final long[] counts = new long[COUNTS.length];
    private final long[][] latencies = new long[StageLatencies.KINDS][];
    private List<NicTraffic> nics;
    private Map<Long, long[]> paths = Map.of();
    private long dropped;
    private long atNs;

    Last(WorkerProbe probe, long nowNs) {
      this.probe = probe;
      nics = probe.nics();
      atNs = nowNs;
    }

    WorkerActivity next(long nowNs, long droppedSoFar) {
      long[] counted = new long[COUNTS.length];
      for (Count each : COUNTS) {
        counted[each.ordinal()] = each.of(probe.counts());
      }
      long[] gauges = new long[GAUGES.length];
      for (Gauge each : GAUGES) {
        gauges[each.ordinal()] = probe.gauge(each);
      }
      List<NicTraffic> carried = probe.nics();
      List<NicTraffic> fresh = new ArrayList<>();
      for (int i = 0; i < carried.size(); i++) {
        fresh.add(i < nics.size() ? carried.get(i).since(nics.get(i)) : carried.get(i));
      }
      WorkerActivity made =
          new WorkerActivity(
              new WorkerActivity.Span(probe.worker(), atNs, nowNs, droppedSoFar - dropped),
              new WorkerActivity.Figures(since(counts, counted), gauges, latenciesSince()),
              fresh,
              pathsSince());
      nics = carried;
      dropped = droppedSoFar;
      atNs = nowNs;
      return made;
    }

    private List<LatencyActivity> latenciesSince() {
      List<LatencyActivity> all = new ArrayList<>();
      for (int kind = 0; kind < StageLatencies.KINDS; kind++) {
        LatencyCounts counts = probe.latencies().of(kind);
        if (counts != null) {
          long[] taken = new long[LatencyCounts.BUCKETS];
          for (int i = 0; i < taken.length; i++) {
            taken[i] = counts.count(i);
          }
          if (latencies[kind] == null) {
            latencies[kind] = new long[LatencyCounts.BUCKETS];
          }
          all.add(new LatencyActivity(kind, since(latencies[kind], taken)));
        }
      }
      return List.copyOf(all);
    }

    private List<PathActivity> pathsSince() {
      List<PathActivity> all = new ArrayList<>();
      Map<Long, long[]> now = new HashMap<>();
      for (PathProbe path : probe.paths(MOST_PATHS)) {
        long[] before = paths.getOrDefault(path.pathId(), NEW_PATH);
        long[] counted = {path.packetsAcked(), path.packetsLost()};
        now.put(path.pathId(), counted);
        all.add(
            new PathActivity(
                path.peer(),
                path.pathId(),
                counted[0] - before[0],
                counted[1] - before[1],
                path.state()));
      }
      paths = now;
      return all;
    }

    /** The growth since the last interval; {@code last} takes the present values. */
    private static long[] since(long[] last, long[] now) {
      long[] fresh = new long[now.length];
      for (int i = 0; i < now.length; i++) {
        fresh[i] = now[i] - last[i];
        last[i] = now[i];
      }
      return fresh;
    }
  }

  /** Begins now; earlier counts are in no interval. */
  ActivityMeter(List<WorkerProbe> probes, LongSupplier clock) {
    this.clock = clock;
    long nowNs = clock.getAsLong();
    for (WorkerProbe probe : probes) {
      Last worker = new Last(probe, nowNs);
      workers.add(worker);
      var _ = worker.next(nowNs, 0);
    }
  }

  /** Tells of the interval since the last time. */
  void tell(TransportEvents to, IntToLongFunction droppedOfWorker) {
    long nowNs = clock.getAsLong();
    for (Last each : workers) {
      to.onWorkerActivity(each.next(nowNs, droppedOfWorker.applyAsLong(each.probe.worker())));
    }
  }
}
