package io.millrace.protocol.region;

import static io.millrace.protocol.region.RegionHolder.PRIORITIES;

/**
 * Decides the sender's requests to a receiver, and their times: at each priority the bytes to
 * write, less the bytes with a token, covered from the best priority up. The newest request
 * replaces all before, so a request is due when the receiver's picture is too small, or far too
 * large, or when the last request has brought nothing for long.
 *
 * <p>A receiver without memory says when memory may come: until then the sender does not ask again
 * for demand that the receiver knows. This wait has bounds, grows while the receiver still has no
 * memory, and varies (see {@link Straying}).
 *
 * <p>The sender may ask ahead of need: for as many bytes of tokens as were used lately, within a
 * bound.
 *
 * <p>Owned by the path's worker. Time is passed in. Does not allocate.
 */
public final class TokenDemand {
  private static final long NONE = Long.MAX_VALUE;

  // Bounds of the wait for memory that a receiver does not have, in intervals without an answer.
  private static final int LEAST_PART = 64;
  private static final int MOST_DOUBLINGS = 6;
  private static final int MOST_REFRESHES = 4;

  private final long[] desired = new long[PRIORITIES];
  private final long[] owed = new long[PRIORITIES];
  private final long[] told = new long[PRIORITIES];
  private final int[] largest = new int[PRIORITIES];
  private final long refreshNs;
  private final JitteredWait straying;
  private final RevocationPause pause;
  private final TokenPrefetch ahead;
  private long usableBytes;
  private long lastNewsNs;
  private long waitNs;
  private int answersInRow;
  private int requestId;
  private boolean isLost;

  /**
   * Wants nothing.
   *
   * @param refreshNs the time after which to ask again without an answer
   * @param seed the seed of the straying of waits; different for different paths
   */
  public TokenDemand(long refreshNs, long seed) {
    if (refreshNs <= 0) {
      throw new IllegalArgumentException("refreshNs must be positive: " + refreshNs);
    }
    this.refreshNs = refreshNs;
    straying = new JitteredWait(seed);
    pause = new RevocationPause(straying);
    ahead = new TokenPrefetch(refreshNs);
    waitNs = refreshNs;
  }

  /**
   * More, or less, is to be written.
   *
   * @param deltaBytes added to the desired bytes; negative when a fill has taken bytes or a
   *     transfer has ended
   * @param pieceBytes the longest piece that should lie in a single region; the longest piece since
   *     this priority last wanted nothing counts
   */
  public void onDesired(int priority, long deltaBytes, int pieceBytes) {
    desired[priority] += deltaBytes;
    onPiece(priority, pieceBytes);
    assert desired[priority] >= 0;
  }

  /**
   * More, or less, of a running fill waits for its token to allow more.
   *
   * @param pieceBytes the length that should lie in the fill's region
   */
  public void onOwed(int priority, int deltaBytes, int pieceBytes) {
    owed[priority] += deltaBytes;
    onPiece(priority, pieceBytes);
    assert owed[priority] >= 0;
  }

  private void onPiece(int priority, int pieceBytes) {
    final boolean isOver = desired[priority] == 0 && owed[priority] == 0;
    largest[priority] = isOver ? 0 : Math.max(largest[priority], pieceBytes);
  }

  /**
   * A fill that was begun is void and must be written elsewhere. The sender does not at once ask a
   * receiver for other regions if the receiver revokes fills again and again.
   *
   * @return whether a pause begins
   */
  public boolean onFillRevoked(long nowNs) {
    return pause.onRevoked(nowNs);
  }

  /** The receiver took a fill out. */
  public void onFillTakenOut() {
    pause.onTakenOut();
  }

  /** The most bytes of tokens to have ahead of need; 0 before the first call. */
  public void askAhead(long limitBytes) {
    ahead.limit(limitBytes);
  }

  /**
   * The present value of {@link TokenCache#usableBytes}. To be called before the check for due
   * requests.
   */
  public void onUsable(long bytes) {
    usableBytes = bytes;
  }

  /**
   * The present value of {@link TokenCache#possessedBytes}. To be called before the check for due
   * requests.
   */
  public void onPossessed(long bytes, long nowNs) {
    ahead.onPossessed(bytes);
    ahead.onWanted(totalWantedBytes(), nowNs);
  }

  /** These bytes were placed under tokens. */
  public void onUsed(long bytes, long nowNs) {
    ahead.onUsed(bytes, nowNs);
  }

  /**
   * The bytes to ask for beyond the demand: up to the bytes used in the last interval or two, less
   * this side's tokens and demand. An interval is the time after which the sender asks again.
   */
  public long aheadBytes(long nowNs) {
    return ahead.bytes(totalWantedBytes(), nowNs);
  }

  /** Bytes to be written that have no place yet. */
  public long desiredBytes() {
    long bytes = 0;
    for (long each : desired) {
      bytes += each;
    }
    return bytes;
  }

  /** Read for requests ahead of need only. */
  private long totalWantedBytes() {
    long wanted = 0;
    for (int priority = 0; ahead.isOn() && priority < PRIORITIES; priority++) {
      wanted += wantedBytes(priority);
    }
    return wanted;
  }

  /**
   * The receiver authorised these further bytes, by a grant or with an acknowledgement, and has
   * taken the same number from its picture of the demand.
   *
   * @param answeredId the newest request that the receiver had seen
   */
  public void onAuthorised(int answeredId, int bytes, long nowNs) {
    lastNewsNs = nowNs;
    if (bytes > 0) {
      answersInRow = 0;
      waitNs = refreshNs;
    }
    if (answeredId != requestId) {
      return;
    }
    for (int priority = 0; priority < PRIORITIES; priority++) {
      if (told[priority] > 0) {
        told[priority] = Math.max(told[priority] - bytes, 0);
        return;
      }
    }
  }

  /**
   * The receiver has nothing now: the receiver knows the demand, so the next request can wait.
   *
   * @param answeredId the newest request that the receiver had seen; an answer to an older request
   *     is no news
   * @param estimateNs when the receiver may have something; 0 if the receiver does not know
   */
  public void onExhausted(int answeredId, long estimateNs, long nowNs) {
    if (answeredId != requestId) {
      return;
    }
    final long leastNs =
        Math.max((refreshNs / LEAST_PART) << Math.min(answersInRow, MOST_DOUBLINGS), 1);
    final long usualNs = estimateNs == 0 ? refreshNs : estimateNs;
    lastNewsNs = nowNs;
    waitNs = straying.stray(Math.clamp(usualNs, leastNs, MOST_REFRESHES * refreshNs));
    answersInRow++;
  }

  /** The bytes to write at this priority without usable tokens. */
  public long wantedBytes(int priority) {
    long usable = usableBytes;
    for (int better = 0; better < priority; better++) {
      usable = Math.max(usable - desired[better], 0);
    }
    return Math.max(desired[priority] - usable, 0) + owed[priority];
  }

  /** The longest piece of this priority, bytes. */
  public int largestBytes(int priority) {
    return largest[priority];
  }

  /** All bytes to write at this priority. */
  public long desiredBytes(int priority) {
    return desired[priority];
  }

  /** Whether a request should leave now. */
  public boolean isRequestDue(long nowNs) {
    if (pause.isOn(nowNs)) {
      return false;
    }
    boolean isWanting = false;
    for (int priority = 0; priority < PRIORITIES; priority++) {
      final long wanted = wantedBytes(priority);
      if (isLost && (wanted > 0 || told[priority] > 0)
          || isOff(told[priority], wanted) && !isWaitingFor(priority, wanted)) {
        return true;
      }
      isWanting |= wanted > 0;
    }
    return isWanting && nowNs - lastNewsNs >= waitNs
        || answersInRow == 0 && ahead.isDue(totalWantedBytes(), nowNs);
  }

  /**
   * Whether the receiver has nothing for this priority, knows of the demand, and would only hear of
   * more.
   */
  private boolean isWaitingFor(int priority, long wanted) {
    return answersInRow > 0 && told[priority] > 0 && wanted > told[priority];
  }

  private static boolean isOff(long told, long wanted) {
    return wanted > told + told / 4 || wanted < told / 2 || wanted == 0 && told > 0;
  }

  /** The id of the next request. */
  public int nextRequestId() {
    return requestId + 1;
  }

  /** The id of the newest request that was sent; 0 before the first. */
  public int requestId() {
    return requestId;
  }

  /** A request with the present demand was written into a packet. */
  public void onTold(long nowNs) {
    requestId++;
    isLost = false;
    lastNewsNs = nowNs;
    waitNs = refreshNs;
    ahead.onTold(totalWantedBytes(), nowNs);
    for (int priority = 0; priority < PRIORITIES; priority++) {
      told[priority] = wantedBytes(priority);
    }
  }

  /**
   * The packet of this request was lost: if the request was the newest, its content is to be told
   * again.
   */
  public void onLost(int lostId) {
    isLost |= lostId == requestId;
  }

  /** When a request becomes due by time alone, ns; {@link Long#MAX_VALUE} if nothing is wanted. */
  public long nextDeadlineNs() {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      if (wantedBytes(priority) > 0) {
        return pause.isPending() ? pause.untilNs() : lastNewsNs + waitNs;
      }
    }
    return NONE;
  }
}
