package io.millrace.protocol.region;

/**
 * Decides how much one sender may be authorised and not have written, and how long that may lie
 * while others wait. There is no bound until it let a region lie that others wanted; then it is one
 * step, and grows by what it fills, as a congestion window does after a loss: whoever wants to hold
 * the whole budget again has to have filled as much. No clock; does not allocate.
 */
final class UnwrittenWindow {
  private static final int MOST_DOUBLINGS = 4;

  private boolean isBounded;
  private long filledBytes;
  private long unwrittenBytes;
  private int fruitless;
  private long fruitlessNs;
  private long answerNs;

  /** What was authorised and has not been written, bytes. */
  long unwrittenBytes() {
    return unwrittenBytes;
  }

  /** So much more was authorised; less than nothing if it was written or given up. */
  void onUnwritten(int deltaBytes) {
    unwrittenBytes += deltaBytes;
    assert unwrittenBytes >= 0;
  }

  boolean isBounded() {
    return isBounded;
  }

  /**
   * The most that may be authorised now of a fill. A step that is begun may end in any case: its
   * sender cannot use a part of it.
   *
   * @param authorised what is authorised of the fill, bytes
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
   * A region was taken in which nothing had arrived: it may have been too early, or for nothing.
   * Those that were granted before the last one was taken say nothing new.
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
   * @param enoughBytes what it fills until there is no bound any more
   */
  void onFruitful(int bytes, long enoughBytes) {
    fruitless = Math.max(fruitless - 1, 0);
    filledBytes += Math.max(bytes, 0);
    isBounded &= filledBytes < enoughBytes;
  }

  /** How long the sender needs at least until what it was granted can be seen to be used, ns. */
  void answerNs(long answerNs) {
    this.answerNs = answerNs;
  }

  /**
   * How long a region may lie unused while others wait, ns: not less than its sender needs to use
   * it, and longer after one was taken unused, or it would never be used at all.
   */
  long patienceNs(RegionTimes times) {
    return Math.min(leastNs(times) << fruitless, times.idleTimeoutNs());
  }

  /** The same for one region of which so much is unwritten: longer for the last one only. */
  long patienceNs(RegionTimes times, int regionBytes) {
    return unwrittenBytes > regionBytes
        ? Math.min(leastNs(times), times.idleTimeoutNs())
        : patienceNs(times);
  }

  private long leastNs(RegionTimes times) {
    return Math.max(times.idleRevokeNs(), answerNs);
  }
}
