package io.millrace.samples.bench.faults;

import io.millrace.samples.bench.faults.FaultClient.Carried;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bytes that each carrier, a NIC and driver, has carried in the course of a run. */
final class Carriage {
  /**
   * The least share of all bytes for a carrier of calls; a carrier below this share only carries
   * probes.
   */
  private static final double LEAST_PART = 0.05;

  private final List<Sample> samples = new ArrayList<>();

  /** The byte counts of all carriers at a time. */
  record Sample(long atNs, List<Carried> carried) {
    /** By carrier, the number of bytes sent since another sample. */
    Map<String, Long> sentSince(Sample earlier) {
      Map<String, Long> sent = new LinkedHashMap<>();
      for (Carried each : carried) {
        sent.put(each.name(), each.bytesSent() - earlier.sentBy(each.name()));
      }
      return sent;
    }

    private long sentBy(String name) {
      return carried.stream()
          .filter(each -> each.name().equals(name))
          .mapToLong(Carried::bytesSent)
          .sum();
    }
  }

  void add(long atNs, List<Carried> carried) {
    samples.add(new Sample(atNs, carried));
  }

  boolean isEmpty() {
    return samples.isEmpty();
  }

  /** By carrier: bytes sent before the fault, during the fault, and after the healing. */
  Map<String, List<Long>> sent(long faultNs, long healedNs) {
    Sample first = samples.getFirst();
    Sample fault = at(faultNs);
    Sample healed = at(healedNs);
    Map<String, List<Long>> sent = new LinkedHashMap<>();
    for (Carried each : first.carried()) {
      String name = each.name();
      sent.put(
          name,
          List.of(
              fault.sentSince(first).getOrDefault(name, 0L),
              healed.sentSince(fault).getOrDefault(name, 0L),
              samples.getLast().sentSince(healed).getOrDefault(name, 0L)));
    }
    return sent;
  }

  /**
   * The first time after the healing at which all carriers of calls before the fault carry calls
   * again: between two samples each such carrier sent more than its least share.
   */
  long allAgainNs(long faultNs, long healedNs) {
    List<String> wanted = carrying(samples.getFirst(), at(faultNs));
    for (int i = 1; i < samples.size(); i++) {
      Sample sample = samples.get(i);
      if (samples.get(i - 1).atNs() - healedNs >= 0
          && carrying(samples.get(i - 1), sample).containsAll(wanted)) {
        return sample.atNs();
      }
    }
    return CallLog.NEVER;
  }

  private static List<String> carrying(Sample from, Sample to) {
    Map<String, Long> sent = to.sentSince(from);
    long all = sent.values().stream().mapToLong(Long::longValue).sum();
    return sent.entrySet().stream()
        .filter(each -> each.getValue() > LEAST_PART * all)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The last sample up to a time. */
  private Sample at(long atNs) {
    Sample last = samples.getFirst();
    for (Sample sample : samples) {
      last = sample.atNs() - atNs <= 0 ? sample : last;
    }
    return last;
  }
}
