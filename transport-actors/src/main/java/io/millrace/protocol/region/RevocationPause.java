package io.millrace.protocol.region;

/**
 * Decides how long a sender asks for no other regions after the receiver revoked begun fills. The
 * first revocation causes no pause, further revocations ever longer pauses, and each fill that the
 * receiver took out shortens the next pause. Owned by a {@link TokenDemand}. Time is passed in;
 * does not allocate.
 */
final class RevocationPause {
  static final long FIRST_NS = 1_000_000;
  static final int MOST_DOUBLINGS = 7;

  private final JitteredWait straying;
  private int weight;
  private long lastNs = Long.MIN_VALUE;
  private long untilNs;
  private boolean isOn;

  RevocationPause(JitteredWait straying) {
    this.straying = straying;
  }

  /**
   * A begun fill is void; all fills of a moment count once.
   *
   * @return whether a pause begins
   */
  boolean onRevoked(long nowNs) {
    if (isOn(nowNs) || nowNs == lastNs) {
      return false;
    }
    lastNs = nowNs;
    isOn = weight > 0;
    if (isOn) {
      untilNs = nowNs + straying.stray(FIRST_NS << weight - 1);
    }
    weight = Math.min(weight + 1, MOST_DOUBLINGS + 1);
    return isOn;
  }

  /** The receiver took a fill out. */
  void onTakenOut() {
    weight = Math.max(weight - 1, 0);
  }

  /** Whether nothing may be asked for. */
  boolean isOn(long nowNs) {
    isOn &= nowNs - untilNs < 0;
    return isOn;
  }

  /** The end of the pause, ns; meaningless without a pause. */
  long untilNs() {
    return untilNs;
  }

  /** Whether a pause has begun, and no call of {@link #isOn} has found the end of the pause. */
  boolean isPending() {
    return isOn;
  }
}
