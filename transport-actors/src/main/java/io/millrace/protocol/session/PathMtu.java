package io.millrace.protocol.session;

/**
 * Decides how large datagrams on a path may be; rules M-1 to M-4, M-7 and N-9. The path starts with
 * the size that every path carries and tries larger sizes, the largest first, with probes whose
 * loss says nothing about congestion. Owned by the path's worker. Time is passed in; does not
 * allocate.
 *
 * <pre>
 * SEARCHING -(a probe was acknowledged, or no size is left)-> SETTLED
 * SETTLED -(the size may have stopped working)-> SEARCHING from it downwards
 * SETTLED below the largest size -(30 s)-> SETTLED and tries all larger sizes, each once
 * </pre>
 */
public final class PathMtu {
  /** From the end of a search below the largest size to the next search, ns. */
  static final long SEARCH_AGAIN_NS = 30_000_000_000L;

  private static final int ATTEMPTS = 3;
  private static final long NONE = Long.MAX_VALUE;

  /** Ethernet with jumbo frames, half of this size, Ethernet over IPv4 and over IPv6. */
  private static final int[] LADDER = {8_972, 4_400, 1_472, 1_452};

  private final int baseBytes;

  /** The largest size at first; a search anew begins here. */
  private int largestBytes;

  private int capBytes;
  private int currentBytes;
  private int candidateBytes;
  private int attempts;
  private boolean probeInFlight;

  /** Whether the search at hand tries sizes above a size that works. */
  private boolean isAgain;

  /** When the next search begins, ns; {@link #NONE} without a time yet. */
  private long searchNs = NONE;

  /**
   * Starts at {@code baseBytes}.
   *
   * @param capBytes the largest size that both ends would take, at least {@code baseBytes}
   */
  public PathMtu(int baseBytes, int capBytes) {
    this.baseBytes = baseBytes;
    start(capBytes);
  }

  /**
   * Starts over at the base size, as the path goes by a network of another kind.
   *
   * @param mostBytes the largest size that both ends would take there
   */
  public void start(int mostBytes) {
    largestBytes = Math.max(baseBytes, mostBytes);
    capBytes = largestBytes;
    currentBytes = baseBytes;
    isAgain = false;
    tryNext(largestBytes > baseBytes ? largestBytes : 0);
    assert invariantsHold();
  }

  /** Datagrams may have this many bytes now. */
  public int datagramBytes() {
    return currentBytes;
  }

  /** Datagrams will have no more than this many bytes before a search anew. */
  public int capBytes() {
    return capBytes;
  }

  /** Whether nothing waits for a larger size; a search anew may be under way. */
  public boolean isSettled() {
    return candidateBytes == 0 || isAgain;
  }

  /** Whether a size above a size that works is being tried. */
  public boolean isTryingAgain() {
    return isAgain && probeInFlight;
  }

  /**
   * Begins a search anew if the last search ended long ago, and below the largest size. A limit of
   * the local system counts no longer: the system refuses the probe if the limit is still true.
   * Rule M-7.
   */
  public void onTime(long nowNs) {
    if (candidateBytes != 0 || currentBytes == largestBytes) {
      return;
    }
    if (searchNs == NONE) {
      searchNs = nowNs + SEARCH_AGAIN_NS;
    } else if (searchNs - nowNs <= 0) {
      searchNs = NONE;
      isAgain = true;
      capBytes = largestBytes;
      candidateBytes = largestBytes;
    }
    assert invariantsHold();
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
    // A probe that counted as lost may have shown more than the size at hand would.
    if (candidateBytes != 0 && candidateBytes <= currentBytes) {
      tryNext(0);
    }
    assert invariantsHold();
  }

  /** A probe of this size was lost. */
  public void onProbeLost(int bytes) {
    if (bytes != candidateBytes) {
      return;
    }
    probeInFlight = false;
    if (isAgain || attempts >= ATTEMPTS) {
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
      tryNext(limit > currentBytes ? limit : 0);
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
    final int doubtfulBytes = currentBytes;
    currentBytes = baseBytes;
    isAgain = false;
    tryNext(doubtfulBytes);
    assert invariantsHold();
  }

  private void tryBelow(int bytes) {
    for (int size : LADDER) {
      if (size < bytes && size <= capBytes && size > currentBytes) {
        tryNext(size);
        return;
      }
    }
    tryNext(0);
  }

  /** Goes on to a size; 0 ends the search. */
  private void tryNext(int bytes) {
    candidateBytes = bytes;
    attempts = 0;
    probeInFlight = false;
    searchNs = NONE;
    isAgain &= bytes != 0;
  }

  private boolean invariantsHold() {
    assert currentBytes >= baseBytes && currentBytes <= capBytes && capBytes <= largestBytes;
    assert !isAgain || candidateBytes != 0;
    assert candidateBytes == 0 || (candidateBytes > currentBytes && candidateBytes <= capBytes);
    return true;
  }
}
