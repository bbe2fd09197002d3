package io.millrace.protocol.session;

/**
 * Decides how large datagrams on a path may be; rules M-1 to M-4. The path starts with the size
 * that every path carries and tries larger sizes, the largest first, with probes whose loss says
 * nothing about congestion. Owned by the path's worker. No clock; does not allocate.
 *
 * <pre>
 * SEARCHING -(a probe was acknowledged, or no size is left)-> SETTLED
 * SETTLED -(the size may have stopped working)-> SEARCHING from it downwards
 * </pre>
 */
public final class PathMtu {
  private static final int ATTEMPTS = 3;

  /** Ethernet with jumbo frames, half of this size, Ethernet over IPv4 and over IPv6. */
  private static final int[] LADDER = {8_972, 4_400, 1_472, 1_452};

  private final int baseBytes;
  private int capBytes;
  private int currentBytes;
  private int candidateBytes;
  private int attempts;
  private boolean probeInFlight;

  /**
   * Starts at {@code baseBytes}.
   *
   * @param capBytes the largest size that both ends would take, at least {@code baseBytes}
   */
  public PathMtu(int baseBytes, int capBytes) {
    this.baseBytes = baseBytes;
    this.capBytes = Math.max(baseBytes, capBytes);
    currentBytes = baseBytes;
    candidateBytes = this.capBytes > baseBytes ? this.capBytes : 0;
    assert invariantsHold();
  }

  /** Datagrams may have this many bytes now. */
  public int datagramBytes() {
    return currentBytes;
  }

  /** Datagrams will never have more than this many bytes. */
  public int capBytes() {
    return capBytes;
  }

  /** Whether no larger size will be tried. */
  public boolean isSettled() {
    return candidateBytes == 0;
  }

  /** Whether a probe should be sent now. */
  public boolean wantsProbe() {
    return candidateBytes != 0 && !probeInFlight;
  }

  /** The size to try next; 0 without a larger size. */
  public int candidateBytes() {
    return candidateBytes;
  }

  /** Takes the probe's size; the caller, told by {@link #wantsProbe()}, sends the probe now. */
  public int pollProbe() {
    if (!wantsProbe()) {
      throw new IllegalStateException("no probe is wanted");
    }
    probeInFlight = true;
    attempts++;
    assert invariantsHold();
    return candidateBytes;
  }

  /** A probe of this size arrived at the peer. */
  public void onProbeAcknowledged(int bytes) {
    if (bytes > currentBytes && bytes <= capBytes) {
      currentBytes = bytes;
    }
    if (bytes == candidateBytes) {
      probeInFlight = false;
      candidateBytes = 0;
      attempts = 0;
    }
    assert invariantsHold();
  }

  /** A probe of this size was lost. */
  public void onProbeLost(int bytes) {
    if (bytes != candidateBytes) {
      return;
    }
    probeInFlight = false;
    if (attempts >= ATTEMPTS) {
      tryBelow(candidateBytes);
    }
    assert invariantsHold();
  }

  /** The system says that no larger datagram leaves this host for the peer. */
  public void onLocalLimit(int bytes) {
    int limit = Math.max(baseBytes, bytes);
    if (limit >= capBytes) {
      return;
    }
    capBytes = limit;
    currentBytes = Math.min(currentBytes, limit);
    if (candidateBytes > limit) {
      probeInFlight = false;
      attempts = 0;
      candidateBytes = limit > currentBytes ? limit : 0;
    }
    assert invariantsHold();
  }

  /**
   * Several timeouts in a row: the present size may no longer get through, or the peer paused.
   * Small datagrams go for now, and the size is probed again before its end.
   */
  public void onBlackHole() {
    if (currentBytes == baseBytes) {
      return;
    }
    candidateBytes = currentBytes;
    currentBytes = baseBytes;
    probeInFlight = false;
    attempts = 0;
    assert invariantsHold();
  }

  private void tryBelow(int bytes) {
    attempts = 0;
    candidateBytes = 0;
    for (int size : LADDER) {
      if (size < bytes && size <= capBytes && size > currentBytes) {
        candidateBytes = size;
        return;
      }
    }
  }

  private boolean invariantsHold() {
    assert currentBytes >= baseBytes && currentBytes <= capBytes;
    assert candidateBytes == 0 || (candidateBytes > currentBytes && candidateBytes <= capBytes);
    return true;
  }
}
