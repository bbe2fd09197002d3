package io.millrace.protocol.schedule;

/** A send rate for shapers on one thread. */
final class OneRate implements SendRate {
  private final long bitsPerSecond;
  private long longestNs;
  private long nextNs = Long.MIN_VALUE;

  OneRate(long bitsPerSecond) {
    this.bitsPerSecond = bitsPerSecond;
  }

  @Override
  public long bitsPerSecond() {
    return bitsPerSecond;
  }

  @Override
  public long take(long nowNs, long lengthNs) {
    final long startNs = Math.max(nextNs, nowNs);
    nextNs = startNs + lengthNs;
    return startNs;
  }

  @Override
  public void settle(long changeNs, long earliestNs) {
    nextNs = Math.max(nextNs + changeNs, earliestNs);
  }

  @Override
  public long longestNs(long packetNs) {
    longestNs = Math.max(longestNs, packetNs);
    return longestNs;
  }
}
