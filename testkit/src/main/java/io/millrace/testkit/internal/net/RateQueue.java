package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.RateSettings;

/**
 * A queue in front of a bottleneck, without the queue itself: the time when the bottleneck becomes
 * free tells the number of waiting bytes. Datagrams must come in the order of time.
 */
final class RateQueue {
  /** The datagram did not fit. */
  static final long FULL = -1;

  private static final double SECOND_NS = 1e9;

  private RateSettings settings;
  private long freeNs;

  RateQueue(RateSettings settings) {
    this.settings = settings;
  }

  void settings(RateSettings other) {
    settings = other;
  }

  boolean isUnlimited() {
    return settings.bytesPerSecond() == 0;
  }

  /** The rate of the bottleneck, or 0. */
  long bytesPerSecond() {
    return settings.bytesPerSecond();
  }

  /**
   * Returns when the datagram, which arrives at {@code nowNs}, has left the bottleneck, or {@link
   * #FULL}.
   */
  long admit(Packet packet, long nowNs) {
    if (isUnlimited()) {
      return nowNs;
    }
    double bytesPerNs = settings.bytesPerSecond() / SECOND_NS;
    long startNs = Math.max(freeNs, nowNs);
    double waitingBytes = (startNs - nowNs) * bytesPerNs;
    if (waitingBytes > 0 && waitingBytes + packet.length() > settings.queueBytes()) {
      return FULL;
    }
    if (waitingBytes > settings.markAboveBytes()) {
      packet.mark();
    }
    freeNs = startNs + (long) Math.ceil(packet.length() / bytesPerNs);
    return freeNs;
  }
}
