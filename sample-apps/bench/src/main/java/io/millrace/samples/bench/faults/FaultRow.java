package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.faults.FaultClient.Told;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transport under a fault.
 *
 * @param how the means by which the run made the fault
 * @param log the calls
 * @param told the client's observations during the run
 * @param carriage the byte counts of the client's carriers; empty for a client with a single
 *     carrier
 * @param times the times of the run
 */
record FaultRow(
    Fault fault,
    FaultPeer peer,
    String how,
    CallLog log,
    List<Told> told,
    Carriage carriage,
    Times times) {
  private static final double MS = 1e6;
  private static final long HALF_SECOND_NS = 500_000_000;

  /**
   * The times of the steps of a run, by {@link System#nanoTime}.
   *
   * @param healedNs the end of the fault; {@code stoppedNs} for a fault that never ends
   * @param stoppedNs the beginning of the last call
   */
  record Times(long beginNs, long faultNs, long healedNs, long stoppedNs) {}

  /** The number of calls that ended in the run. */
  int calls() {
    return log.calls().size();
  }

  /** From the fault to the first failed call, in milliseconds; null without a failed call. */
  @Nullable Double firstErrorMs() {
    return log.firstFailed(times.faultNs())
        .map(call -> sinceMs(call.endNs(), times.faultNs()))
        .orElse(null);
  }

  /** The error of the first failed call; empty without a failed call. */
  String error() {
    return log.firstFailed(times.faultNs()).map(CallLog.Entry::error).orElse("");
  }

  /** The number of failed calls. */
  int failed() {
    return errors().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The number of failed calls, by kind. */
  Map<String, Integer> errors() {
    return log.failed(times.faultNs());
  }

  /**
   * The duration of the longest successful call that ended after the fault; null without such a
   * call.
   */
  @Nullable Double longestOkMs() {
    long longestNs = log.longestOkNs(times.faultNs());
    return longestNs == CallLog.NEVER ? null : longestNs / MS;
  }

  /** The longest time after the fault without a successful call. */
  double longestStallMs() {
    return log.longestStallNs(times.faultNs(), times.stoppedNs()) / MS;
  }

  /** From the healing until calls succeed for good; null if calls never succeed for good. */
  @Nullable Double recoveredMs() {
    long recoveredNs = fault.heals() ? log.recoveredNs(times.healedNs()) : CallLog.NEVER;
    return recoveredNs == CallLog.NEVER ? null : sinceMs(recoveredNs, times.healedNs());
  }

  /** From the healing until all carriers carry calls again; null if some carrier never does. */
  @Nullable Double carryAgainMs() {
    if (carriage.isEmpty()) {
      return null;
    }
    long againNs = carriage.allAgainNs(times.faultNs(), times.healedNs());
    return againNs == CallLog.NEVER ? null : sinceMs(againNs, times.healedNs());
  }

  /** The duration of the fault. */
  double lastedMs() {
    return sinceMs(times.healedNs(), times.faultNs());
  }

  /** The client's observations after the fault, each with the milliseconds since the fault. */
  List<String> events() {
    return told.stream()
        .filter(each -> each.atNs() - times.faultNs() >= 0)
        .map(each -> "%.0f ms: %s".formatted(sinceMs(each.atNs(), times.faultNs()), each.what()))
        .toList();
  }

  private static double sinceMs(long atNs, long fromNs) {
    return (atNs - fromNs) / MS;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("fault", fault.label());
    json.put("peer", peer.label());
    json.put("first_error_ms", firstErrorMs());
    json.put("error", error());
    json.put("failed", failed());
    json.put("longest_ok_ms", longestOkMs());
    json.put("recovered_ms", recoveredMs());
    json.put("calls", calls());
    json.put("errors", errors());
    json.put("longest_stall_ms", longestStallMs());
    json.put("lasted_ms", fault.heals() ? lastedMs() : null);
    json.put("ok_each_500ms", log.okEach(times.faultNs(), times.stoppedNs(), HALF_SECOND_NS));
    json.put("how", how);
    json.put("events", events());
    if (!carriage.isEmpty()) {
      json.put("carry_again_ms", carryAgainMs());
      json.put("bytes_sent", carriage.sent(times.faultNs(), times.healedNs()));
    }
    return json;
  }
}
