package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.PolicerSettings;
import org.agrona.collections.Long2ObjectHashMap;

/** A token bucket for each flow of a link. */
final class FlowPolicer {
  private static final double SECOND_NS = 1e9;

  private final Long2ObjectHashMap<Bucket> buckets = new Long2ObjectHashMap<>();
  private PolicerSettings settings;

  private static final class Bucket {
    private double bytes;
    private long filledNs;
  }

  FlowPolicer(PolicerSettings settings) {
    this.settings = settings;
  }

  /** Changes the settings; every bucket is full again. */
  void settings(PolicerSettings other) {
    settings = other;
    buckets.clear();
  }

  boolean admits(Packet packet, long nowNs) {
    if (settings.bytesPerSecond() == 0) {
      return true;
    }
    double burstBytes = (double) settings.burstBytes();
    Bucket bucket = buckets.get(packet.flow());
    if (bucket == null) {
      bucket = new Bucket();
      bucket.bytes = burstBytes;
      bucket.filledNs = nowNs;
      buckets.put(packet.flow(), bucket);
    }
    double earned = (nowNs - bucket.filledNs) * (settings.bytesPerSecond() / SECOND_NS);
    bucket.bytes = Math.min(burstBytes, bucket.bytes + earned);
    bucket.filledNs = nowNs;
    if (bucket.bytes < packet.length()) {
      return false;
    }
    bucket.bytes -= packet.length();
    return true;
  }
}
