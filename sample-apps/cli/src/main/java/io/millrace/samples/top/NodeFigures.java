package io.millrace.samples.top;

import io.millrace.samples.top.PrometheusText.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The activity of a node between two scrapes. Rates are per second of the time covered by the
 * node's own counts, so the time of the scrape does not matter.
 *
 * @param seconds the time covered by the counts; 0 if the counts say nothing
 * @param rates the rates of the whole node
 * @param latency the latency of transfers that ended meanwhile
 * @param workers the workers in the order of their ids
 * @param nics the NICs of all workers, by name
 * @param peers the peers that are not healthy: their health by name
 * @param warnings the kinds of warnings since the node's start, the newest first
 */
record NodeFigures(
    double seconds,
    Rates rates,
    Latency latency,
    List<Worker> workers,
    List<Nic> nics,
    SortedMap<String, String> peers,
    List<Warning> warnings) {
  /** Grows while a node is observed; stands still if nothing new was counted. */
  static final String OBSERVED = "millrace_workers_observed_seconds_total";

  private static final String LATENCY_BUCKET = "millrace_transfer_latency_seconds_bucket";
  private static final String NIC_SENT = "millrace_nic_sent_bytes_total";
  private static final String EVENTS = "millrace_events_total";
  private static final String[] HEALTH = {"HEALTHY", "DEGRADED", "PROBING", "FAILED"};

  /**
   * Rates per second, and a share.
   *
   * @param calls answered calls of this node
   * @param failed failed calls of this node
   * @param served served requests of peers
   * @param lostPart the share of sent packets declared lost; 0 to 1
   * @param retransmitted retransmitted frames
   */
  record Rates(
      double calls,
      double failed,
      double served,
      double packets,
      double lostPart,
      double retransmitted) {}

  /** Seconds; 0 if no transfer ended. */
  record Latency(double p50, double p99) {}

  /**
   * The figures of a worker.
   *
   * @param loadBytes the bytes waiting or on their way on the worker's paths
   * @param waitingBytes the bytes not yet taken from applications
   */
  record Worker(
      String id,
      boolean isUp,
      double packetsSent,
      double packetsReceived,
      double calls,
      double served,
      long loadBytes,
      long waitingBytes,
      long paths) {}

  /** The figures of a NIC: bytes and datagrams a second. */
  record Nic(String name, boolean isUp, double sentBytes, double receivedBytes, double drops) {}

  /** A kind of event. */
  record Warning(String kind, boolean isError, long count, long fresh) {}

  /** Returns the changes from one scrape to the next. */
  static NodeFigures of(PrometheusText before, PrometheusText now) {
    Map<String, Double> observed = now.by(OBSERVED, "worker");
    double seconds =
        observed.isEmpty() ? 0 : now.since(before, each -> each.sum(OBSERVED)) / observed.size();
    Difference all = new Difference(before, now, sample -> true, seconds);
    double sent = all.perSecond("millrace_packets_sent_total");
    double lost = all.perSecond("millrace_packets_lost_total");
    return new NodeFigures(
        seconds,
        new Rates(
            all.perSecond("millrace_transfers_responses_received_total"),
            all.perSecond("millrace_transfers_failed_total"),
            all.perSecond("millrace_transfers_requests_served_total"),
            sent + all.perSecond("millrace_packets_received_total"),
            sent == 0 ? 0 : Math.min(1, lost / sent),
            all.perSecond("millrace_frames_retransmitted_total")),
        latency(all),
        observed.keySet().stream()
            .sorted(Comparator.comparingInt(String::length).thenComparing(each -> each))
            .map(worker -> worker(worker, all.of("worker", worker)))
            .toList(),
        now.by(NIC_SENT, "nic").keySet().stream().map(nic -> nic(nic, all.of("nic", nic))).toList(),
        peers(now),
        warnings(all));
  }

  /** The samples of two scrapes with a common property. */
  private record Difference(
      PrometheusText before, PrometheusText now, Predicate<Sample> which, double seconds) {
    Difference of(String label, String value) {
      return new Difference(
          before, now, which.and(each -> each.label(label).equals(value)), seconds);
    }

    double since(String name) {
      return now.since(before, text -> sum(text, name));
    }

    double perSecond(String name) {
      return seconds == 0 ? 0 : since(name) / seconds;
    }

    double value(String name) {
      return sum(now, name);
    }

    boolean isZero(String name) {
      return now.of(name).filter(which).anyMatch(each -> each.value() == 0);
    }

    private double sum(PrometheusText text, String name) {
      return text.of(name).filter(which).mapToDouble(Sample::value).sum();
    }
  }

  private static Worker worker(String id, Difference of) {
    return new Worker(
        id,
        !of.isZero("millrace_workers_up"),
        of.perSecond("millrace_packets_sent_total"),
        of.perSecond("millrace_packets_received_total"),
        of.perSecond("millrace_transfers_responses_received_total"),
        of.perSecond("millrace_transfers_requests_served_total"),
        (long) of.value("millrace_paths_load_bytes"),
        (long) of.value("millrace_submissions_waiting_bytes"),
        (long) of.value("millrace_paths_open"));
  }

  private static Nic nic(String name, Difference of) {
    return new Nic(
        name,
        !of.isZero("millrace_nic_up"),
        of.perSecond(NIC_SENT),
        of.perSecond("millrace_nic_received_bytes_total"),
        of.perSecond("millrace_nic_drops_total"));
  }

  private static SortedMap<String, String> peers(PrometheusText now) {
    SortedMap<String, String> peers = new TreeMap<>();
    now.of("millrace_peers_health")
        .filter(each -> each.value() > 0)
        .forEach(
            each ->
                peers.put(
                    each.label("peer"), HEALTH[(int) Math.min(each.value(), HEALTH.length - 1)]));
    return peers;
  }

  private static List<Warning> warnings(Difference all) {
    List<Warning> warnings = new ArrayList<>();
    all.now()
        .of(EVENTS)
        .filter(each -> each.value() > 0)
        .forEach(
            each ->
                warnings.add(
                    new Warning(
                        each.label("kind"),
                        each.label("level").equals("error"),
                        (long) each.value(),
                        (long) all.of("kind", each.label("kind")).since(EVENTS))));
    warnings.sort(Comparator.comparingLong(Warning::fresh).reversed().thenComparing(Warning::kind));
    return warnings;
  }

  private static Latency latency(Difference all) {
    SortedMap<Double, Double> buckets = new TreeMap<>();
    for (String le : all.now().by(LATENCY_BUCKET, "le").keySet()) {
      double bound = le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
      buckets.put(bound, all.of("le", le).since(LATENCY_BUCKET));
    }
    return new Latency(quantile(buckets, 0.5), quantile(buckets, 0.99));
  }

  /**
   * Computes a quantile as Prometheus' {@code histogram_quantile} does: a straight line inside a
   * bucket.
   */
  private static double quantile(SortedMap<Double, Double> buckets, double part) {
    if (buckets.isEmpty() || buckets.lastEntry().getValue() == 0) {
      return 0;
    }
    double rank = part * buckets.lastEntry().getValue();
    double bound = 0;
    double below = 0;
    for (Map.Entry<Double, Double> each : buckets.entrySet()) {
      if (each.getValue() >= rank) {
        double inside = each.getValue() - below;
        return Double.isInfinite(each.getKey()) || inside == 0
            ? bound
            : bound + (each.getKey() - bound) * (rank - below) / inside;
      }
      bound = each.getKey();
      below = each.getValue();
    }
    return bound;
  }

  /** Returns the same figures for a program: seconds, bytes and rates per second. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seconds", seconds);
    json.put("calls_per_s", rates.calls());
    json.put("failed_per_s", rates.failed());
    json.put("served_per_s", rates.served());
    json.put("packets_per_s", rates.packets());
    json.put("lost_part", rates.lostPart());
    json.put("retransmitted_per_s", rates.retransmitted());
    json.put("latency_p50_s", latency.p50());
    json.put("latency_p99_s", latency.p99());
    json.put("workers", workers.stream().map(NodeFigures::json).toList());
    json.put("nics", nics.stream().map(NodeFigures::json).toList());
    json.put("peers", peers);
    json.put("warnings", warnings.stream().map(NodeFigures::json).toList());
    return json;
  }

  private static Map<String, Object> json(Worker worker) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("worker", worker.id());
    json.put("up", worker.isUp());
    json.put("packets_sent_per_s", worker.packetsSent());
    json.put("packets_received_per_s", worker.packetsReceived());
    json.put("calls_per_s", worker.calls());
    json.put("served_per_s", worker.served());
    json.put("load_bytes", worker.loadBytes());
    json.put("waiting_bytes", worker.waitingBytes());
    json.put("paths", worker.paths());
    return json;
  }

  private static Map<String, Object> json(Nic nic) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("nic", nic.name());
    json.put("up", nic.isUp());
    json.put("sent_bytes_per_s", nic.sentBytes());
    json.put("received_bytes_per_s", nic.receivedBytes());
    json.put("drops_per_s", nic.drops());
    return json;
  }

  private static Map<String, Object> json(Warning warning) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", warning.kind());
    json.put("level", warning.isError() ? "error" : "warn");
    json.put("count", warning.count());
    json.put("fresh", warning.fresh());
    return json;
  }
}
