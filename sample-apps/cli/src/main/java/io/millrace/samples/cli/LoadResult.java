package io.millrace.samples.cli;

import io.millrace.api.WorkerSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a run of load.
 *
 * @param first the sample at the end of the warm-up
 * @param last the sample at the end
 * @param latencies the latencies of the calls that ended between the two samples, ns
 * @param failed the number of failed calls, the warm-up included
 * @param unfinished the number of calls that had not ended some seconds after the run
 * @param firstFailure the message of the first failure, or empty
 */
record LoadResult(
    LoadSample first,
    LoadSample last,
    Histogram latencies,
    long failed,
    long unfinished,
    String firstFailure) {

  long errors() {
    return failed + unfinished;
  }

  double seconds() {
    return (last.atNs() - first.atNs()) / 1e9;
  }

  double bytesPerSecond() {
    return bytes() / seconds();
  }

  double callsPerSecond() {
    return calls() / seconds();
  }

  /** Returns the fields in every pattern's report. */
  Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("seconds", seconds());
    report.put("ops", calls());
    report.put("ops_per_s", callsPerSecond());
    report.put("bytes_per_s", bytesPerSecond());
    report.put("latency_ns", latencyReport());
    report.put("errors", errors());
    report.put("goodput_payload", goodputPayload());
    report.put("goodput_packets", goodputPackets());
    report.put("cpu_ns_per_op", perCall(last.cpuNs() - first.cpuNs()));
    report.put("alloc_bytes_per_op", perCall(last.allocatedBytes() - first.allocatedBytes()));
    report.put(
        "worker_alloc_bytes_per_op",
        perCall(last.workerAllocatedBytes() - first.workerAllocatedBytes()));
    report.put("frames_retransmitted", counted(worker -> worker.transfers().framesRetransmitted()));
    report.put("chunk_bytes_retransmitted", counted(NodeFacts::chunkBytesRetransmitted));
    report.put("packets_lost", counted(worker -> worker.packets().lost()));
    report.put("packets_sent", counted(worker -> worker.packets().sent()));
    return report;
  }

  private Map<String, Object> latencyReport() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("p50", latencies.getValueAtPercentile(50));
    report.put("p90", latencies.getValueAtPercentile(90));
    report.put("p99", latencies.getValueAtPercentile(99));
    report.put("p999", latencies.getValueAtPercentile(99.9));
    report.put("max", latencies.getMaxValue());
    return report;
  }

  private long calls() {
    return last.calls() - first.calls();
  }

  private long bytes() {
    return last.bytes() - first.bytes();
  }

  private double perCall(long amount) {
    return calls() == 0 ? 0 : (double) amount / calls();
  }

  private long counted(ToLongFunction<WorkerSnapshot> counter) {
    return NodeFacts.sum(last.node(), counter) - NodeFacts.sum(first.node(), counter);
  }

  /** Returns the acknowledged share of the payload sent by this node; 0 if nothing was sent. */
  private double goodputPayload() {
    return ratio(
        counted(worker -> worker.transfers().payloadBytesAcknowledged()),
        counted(worker -> worker.transfers().payloadBytesSent()));
  }

  private double goodputPackets() {
    return ratio(
        counted(worker -> worker.packets().withProgress()),
        counted(worker -> worker.packets().sent()));
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
