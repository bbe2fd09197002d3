package io.millrace.telemetry.kamon;

import io.millrace.event.Count;
import io.millrace.event.EventKind;
import io.millrace.event.EventText;
import io.millrace.event.Gauge;
import io.millrace.event.LatencyActivity;
import io.millrace.event.LatencyCounts;
import io.millrace.event.NicTraffic;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.WorkerActivity;
import io.millrace.transfer.PeerHealth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes metrics of events, and of nothing else: the same events give the same values, whenever they
 * come. Counters grow by the deltas of {@link #onWorkerActivity}; errors and warnings are counted
 * by kind. The health of at most {@value #MOST_PEERS} peers is kept. A healthy peer makes room for
 * an unhealthy peer; without a healthy peer the tag is {@value #OTHER}, with the worst health of
 * the peers beyond the limit. Any thread. Not meant for data events, which would be made into text
 * for nothing.
 */
public class EventMetrics extends EventText {
  /** The number of peers whose health has a value of its own. */
  static final int MOST_PEERS = 1_000;

  /** The tag of peers beyond this number. */
  static final String OTHER = "other";

  /** A further destination of the values of a metric with its tags. Called under a lock. */
  public interface Instrument {
    /** The values go nowhere. */
    Instrument NONE = (value, times) -> {};

    /**
     * A counter grows by the value, a gauge takes the value, a histogram counts the value so many
     * times more.
     */
    void update(long value, long times);

    /** The metric with these tags is over. */
    default void remove() {}
  }

  /** Makes instruments; asked once for each metric with its tags, under a lock. */
  @FunctionalInterface
  public interface Instruments {
    /**
     * Returns the instrument of a metric with its tags.
     *
     * @param tags the values of {@link MetricDefinition#tags}, in the same order
     */
    Instrument of(MetricDefinition metric, List<String> tags);
  }

  private final Instruments instruments;
  private final Map<Key, Series> series = new HashMap<>();
  private final Map<Integer, OfWorker> workers = new HashMap<>();
  private final Map<EventKind, Series> kinds = new HashMap<>();
  private final LinkedHashMap<String, Series> peers = new LinkedHashMap<>();
  private final Series started;
  private final Series completed;
  private final Series failed;

  private record Key(MetricDefinition metric, List<String> tags) {}

  /** A metric with its tags. */
  private static final class Series {
    private final Key key;
    private final Instrument instrument;
    private long value;
    private final long[] buckets;

    Series(Key key, Instrument instrument) {
      this.key = key;
      this.instrument = instrument;
      boolean isHistogram = key.metric().kind() == MetricDefinition.Kind.HISTOGRAM;
      buckets = new long[isHistogram ? LatencyCounts.BUCKETS : 0];
    }

    void add(long delta) {
      if (delta > 0) {
        value += delta;
        instrument.update(delta, 1);
      }
    }

    void set(long now) {
      value = now;
      instrument.update(now, 1);
    }

    void record(int bucket, long times) {
      if (times > 0) {
        buckets[bucket] += times;
        instrument.update(LatencyCounts.highestNs(bucket), times);
      }
    }
  }

  /** The metrics of a worker; all metrics are present from the first event on. */
  private final class OfWorker {
    private final String tag;
    private final List<Series> counts = new ArrayList<>();
    private final List<Series> gauges = new ArrayList<>();
    private final Map<String, List<Series>> nics = new HashMap<>();
    private final Map<String, Series> nicsUp = new HashMap<>();
    private final Series observed;
    private final Series dropped;
    private final Series keysRotated;
    private final Series up;

    OfWorker(int worker) {
      tag = String.valueOf(worker);
      for (Count each : Count.values()) {
        counts.add(series(MetricDefinition.of(each), tag));
      }
      for (Gauge each : Gauge.values()) {
        gauges.add(series(MetricDefinition.of(each), tag));
      }
      observed = series(MetricDefinition.OBSERVED, tag);
      dropped = series(MetricDefinition.DATA_DROPPED, tag);
      keysRotated = series(MetricDefinition.KEYS_ROTATED, tag);
      up = series(MetricDefinition.WORKER_UP, tag);
      up.set(1);
    }

    void onActivity(WorkerActivity activity) {
      for (Count each : Count.values()) {
        counts.get(each.ordinal()).add(activity.count(each));
      }
      for (Gauge each : Gauge.values()) {
        gauges.get(each.ordinal()).set(activity.gauge(each));
      }
      activity.latencies().forEach(this::onLatencies);
      activity.nics().forEach(this::onTraffic);
      observed.add(activity.endNs() - activity.startNs());
      dropped.add(activity.eventsDropped());
    }

    private void onLatencies(LatencyActivity latencies) {
      Series took =
          series(
              MetricDefinition.of(latencies.stage()),
              tag,
              latencies.pattern().text(),
              String.valueOf(latencies.priority()));
      for (int bucket = 0; bucket < LatencyCounts.BUCKETS; bucket++) {
        took.record(bucket, latencies.count(bucket));
      }
    }

    private void onTraffic(NicTraffic traffic) {
      Series _ = nicsUp.computeIfAbsent(traffic.nic(), this::nicUp);
      List<Series> ofNic =
          nics.computeIfAbsent(
              traffic.nic() + " " + traffic.driver(),
              _ -> traffic(traffic.nic(), traffic.driver()));
      ofNic.get(0).add(traffic.bytesSent());
      ofNic.get(1).add(traffic.bytesReceived());
      ofNic.get(2).add(traffic.datagramsSent());
      ofNic.get(3).add(traffic.datagramsReceived());
      ofNic.get(4).add(traffic.drops());
    }

    private List<Series> traffic(String nic, String driver) {
      return List.of(
          series(MetricDefinition.NIC_SENT, tag, nic, driver),
          series(MetricDefinition.NIC_RECEIVED, tag, nic, driver),
          series(MetricDefinition.NIC_DATAGRAMS_SENT, tag, nic, driver),
          series(MetricDefinition.NIC_DATAGRAMS_RECEIVED, tag, nic, driver),
          series(MetricDefinition.NIC_DROPS, tag, nic, driver));
    }

    private Series nicUp(String nic) {
      Series made = series(MetricDefinition.NIC_UP, tag, nic);
      made.set(1);
      return made;
    }

    void onNic(String nic, boolean isUp) {
      nicsUp.computeIfAbsent(nic, this::nicUp).set(isUp ? 1 : 0);
    }
  }

  /** Keeps values without a further destination. */
  public EventMetrics() {
    this((metric, tags) -> Instrument.NONE);
  }

  /** Hands values to these instruments, too; some are asked for already here. */
  protected EventMetrics(Instruments instruments) {
    this.instruments = instruments;
    started = series(MetricDefinition.HANDSHAKES_STARTED);
    completed = series(MetricDefinition.HANDSHAKES_COMPLETED);
    failed = series(MetricDefinition.HANDSHAKES_FAILED);
    for (EventKind each : EventKind.values()) {
      if (each.level() == EventKind.Level.WARN || each.level() == EventKind.Level.ERROR) {
        String level = each.level() == EventKind.Level.WARN ? "warn" : "error";
        kinds.put(each, series(MetricDefinition.EVENTS, each.title(), level));
      }
    }
  }

  private Series series(MetricDefinition metric, String... tags) {
    return series.computeIfAbsent(
        new Key(metric, List.of(tags)),
        key -> new Series(key, instruments.of(key.metric(), key.tags())));
  }

  private OfWorker worker(int worker) {
    return workers.computeIfAbsent(worker, OfWorker::new);
  }

  @Override
  protected synchronized void onEvent(EventKind kind, String text) {
    Series counted = kinds.get(kind);
    if (counted != null) {
      counted.add(1);
    }
  }

  @Override
  public synchronized void onWorkerActivity(WorkerActivity activity) {
    worker(activity.worker()).onActivity(activity);
  }

  @Override
  public synchronized void onWorkerStarted(int worker, String thread, int core) {
    worker(worker).up.set(1);
  }

  @Override
  public synchronized void onWorkerStopped(int worker, String reason) {
    worker(worker).up.set(0);
    super.onWorkerStopped(worker, reason);
  }

  @Override
  public synchronized void onNicChanged(int worker, String nic, boolean isUp) {
    worker(worker).onNic(nic, isUp);
    super.onNicChanged(worker, nic, isUp);
  }

  @Override
  public synchronized void onKeyRotated(int worker, String peer, int keyId) {
    worker(worker).keysRotated.add(1);
  }

  @Override
  public synchronized void onHandshakeStarted(String peer) {
    started.add(1);
  }

  @Override
  public synchronized void onHandshakeCompleted(String peer, long rttNs, boolean postQuantum) {
    completed.add(1);
  }

  @Override
  public synchronized void onHandshakeFailed(String peer, String reason) {
    failed.add(1);
    super.onHandshakeFailed(peer, reason);
  }

  @Override
  public synchronized void onPeerHealth(PeerHealthChange change) {
    super.onPeerHealth(change);
    long health = change.to().ordinal();
    Series own = peers.get(change.peer());
    if (own != null) {
      own.set(health);
    } else if (peers.size() < MOST_PEERS || makesRoom(change.to())) {
      Series made = series(MetricDefinition.PEER_HEALTH, change.peer());
      peers.put(change.peer(), made);
      made.set(health);
    } else if (change.to() != PeerHealth.HEALTHY) {
      Series others = series(MetricDefinition.PEER_HEALTH, OTHER);
      others.set(Math.max(others.value, health));
    }
  }

  /** Removes a healthy peer for an unhealthy peer. */
  private boolean makesRoom(PeerHealth health) {
    if (health == PeerHealth.HEALTHY) {
      return false;
    }
    for (Map.Entry<String, Series> each : peers.entrySet()) {
      Series old = each.getValue();
      if (old.value == PeerHealth.HEALTHY.ordinal()) {
        peers.remove(each.getKey());
        series.remove(old.key);
        old.instrument.remove();
        return true;
      }
    }
    return false;
  }

  /**
   * Every value: the metric's name with its tags, such as {@code millrace.packets.sent{worker=0}}.
   * Of a histogram the count of each bucket that is not empty, {@code le} being its highest value.
   */
  public synchronized SortedMap<String, Long> values() {
    SortedMap<String, Long> values = new TreeMap<>();
    for (Series each : series.values()) {
      String tags = tags(each.key);
      for (int bucket = 0; bucket < each.buckets.length; bucket++) {
        if (each.buckets[bucket] > 0) {
          values.put(
              each.key.metric().name() + tags + "le=" + LatencyCounts.highestNs(bucket) + "}",
              each.buckets[bucket]);
        }
      }
      if (each.buckets.length == 0) {
        values.put(each.key.metric().name() + tags + "}", each.value);
      }
    }
    return values;
  }

  private static String tags(Key key) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < key.tags().size(); i++) {
      text.append(i == 0 ? "" : ",").append(key.metric().tags().get(i)).append('=');
      text.append(key.tags().get(i));
    }
    return text.toString();
  }

  /** Every instrument is over. */
  protected final synchronized void removeInstruments() {
    series.values().forEach(each -> each.instrument.remove());
    series.clear();
  }
}
