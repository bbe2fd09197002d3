package io.millrace.protocol.region;

/**
 * Decides how many authorised bytes a sender may leave unwritten, and how long these bytes may lie
 * while other senders wait. The window has no bound until the sender has let a region lie that
 * other senders wanted. Then the window is a step, and grows by the bytes of complete fills, as a
 * congestion window does after a loss. A sender that wants to hold the whole budget again has to
 * have filled as much. No clock; does not allocate.
 */
final class UnwrittenWindow {
  private static final int MOST_DOUBLINGS = 4;

  private boolean isBounded;
  private long filledBytes;
  private long unwrittenBytes;
  private int fruitless;
  private long fruitlessNs;
  private long answerNs;

  /** The bytes authorised and not written. */
  long unwrittenBytes() {
    return unwrittenBytes;
  }

  /** Further bytes were authorised; a negative number for bytes written or given up. */
  void onUnwritten(int deltaBytes) {
    unwrittenBytes += deltaBytes;
    assert unwrittenBytes >= 0;
  }

  boolean isBounded() {
    return isBounded;
  }

  /**
   * The most that may be authorised now of a fill. A begun step may end in any case: the sender
   * cannot use a part of a step.
   *
   * @param authorised the authorised bytes of the fill
   */
  long room(int authorised, int stepBytes) {
    if (!isBounded) {
      return Long.MAX_VALUE;
    }
    final int begun = authorised % stepBytes;
    final long room = stepBytes + filledBytes - unwrittenBytes;
    return Math.max(room, begun == 0 ? 0 : stepBytes - begun);
  }

  /**
   * A region was taken in which nothing had arrived: the revocation may have been too early, or the
   * grant for nothing. Regions that were granted before the last region was taken say nothing new.
   */
  void onFruitless(long grantedNs, long nowNs) {
    isBounded = true;
    filledBytes = 0;
    if (fruitless == 0 || grantedNs - fruitlessNs >= 0) {
      fruitless = Math.min(fruitless + 1, MOST_DOUBLINGS);
      fruitlessNs = nowNs;
    }
  }

  /**
   * A fill came together.
   *
   * @param enoughBytes the filled bytes after which the window has no bound any more
   */
  void onFruitful(int bytes, long enoughBytes) {
    fruitless = Math.max(fruitless - 1, 0);
    filledBytes += Math.max(bytes, 0);
    isBounded &= filledBytes < enoughBytes;
  }

  /** The least time from a grant until the sender's use of the grant can be seen, ns. */
  void answerNs(long answerNs) {
    this.answerNs = answerNs;
  }

  /**
   * The time for which a region may lie unused while other senders wait, ns. The time is not less
   * than the region's sender needs to use the region. After a region was taken unused the time is
   * longer, or the sender would never use a region at all.
   */
  long patienceNs(RegionTimes times) {
    return Math.min(leastNs(times) << fruitless, times.idleTimeoutNs());
  }

  /**
   * Returns the patience for a region with {@code regionBytes} unwritten bytes: longer only if no
   * other region of the sender has unwritten bytes.
   */
  long patienceNs(RegionTimes times, int regionBytes) {
    return unwrittenBytes > regionBytes
        ? Math.min(leastNs(times), times.idleTimeoutNs())
        : patienceNs(times);
  }

  private long leastNs(RegionTimes times) {
    return Math.max(times.idleRevokeNs(), answerNs);
  }
}
