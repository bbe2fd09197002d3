package io.millrace.protocol.transfer;

/**
 * Decides whether one more inline message may go to a peer: what was sent in all, on this path,
 * stays within the limit that the peer last announced; rules C-2, C-3 and C-7. Where limits have a
 * lifetime, only the base that the handshake brought may be used of one that is older. Owned by the
 * path's worker. Time is passed in; does not allocate.
 */
public final class SendCredit {
  private final long baseBytes;
  private final long lifetimeNs;
  private long limitBytes;
  private long usedBytes;
  private long heardNs;
  private long heardIn = -1;

  /** What may be used: the limit, or less once that is too old. */
  private long usableBytes;

  /** Starts with the limit that the handshake brought, and which has no end. */
  public SendCredit(long initialLimitBytes) {
    this(initialLimitBytes, 0);
  }

  /**
   * Starts with the limit that the handshake brought.
   *
   * @param baseBytes that limit: what may be sent while nothing that was sent is unconfirmed
   * @param lifetimeNs for how long a limit holds; 0 is without end
   */
  public SendCredit(long baseBytes, long lifetimeNs) {
    this.baseBytes = baseBytes;
    this.lifetimeNs = lifetimeNs;
    limitBytes = baseBytes;
    usableBytes = baseBytes;
    assert invariantsHold();
  }

  /**
   * A limit arrived. One that was overtaken changes nothing: without a lifetime limits only grow,
   * with one the newest counts, which may be less than one before it.
   *
   * @param packetNumber of the packet that it came in
   */
  public void onLimit(long limitBytes, long packetNumber, long nowNs) {
    if (lifetimeNs == 0) {
      this.limitBytes = Math.max(this.limitBytes, limitBytes);
      usableBytes = this.limitBytes;
    } else if (packetNumber > heardIn) {
      this.limitBytes = Math.max(limitBytes, usedBytes);
      usableBytes = this.limitBytes;
      heardIn = packetNumber;
      heardNs = nowNs;
    }
    assert invariantsHold();
  }

  /**
   * Time has passed: a limit that is too old is good for what waits already, or for the base.
   *
   * @param owedBytes what waits is going to take so much
   */
  public void onTime(long owedBytes, long nowNs) {
    if (lifetimeNs > 0 && usableBytes == limitBytes && nowNs - heardNs >= lifetimeNs) {
      usableBytes = Math.min(limitBytes, usedBytes + Math.max(baseBytes, owedBytes));
    }
  }

  /** Whether limits have a lifetime: then the peer bounds what it is sent unasked. */
  public boolean isBounded() {
    return lifetimeNs > 0;
  }

  /**
   * Whether a message of this cost should wait for credit, behind what waits already: it has some,
   * or will have it by itself.
   */
  public boolean isWorthWaiting(int costBytes, long owedBytes) {
    return costBytes <= mostBytes(owedBytes);
  }

  /** The largest message for which that is so, bytes of cost. */
  public long mostBytes(long owedBytes) {
    return lifetimeNs == 0 ? Long.MAX_VALUE : Math.max(baseBytes, availableBytes() - owedBytes);
  }

  /** Whether a message of this cost may go now. */
  public boolean canSend(int costBytes) {
    return usedBytes + costBytes <= usableBytes;
  }

  /** A message of this cost goes for the first time. */
  public void onSent(int costBytes) {
    usedBytes += costBytes;
    assert invariantsHold();
  }

  /** Bytes that may still go. */
  public long availableBytes() {
    return usableBytes - usedBytes;
  }

  private boolean invariantsHold() {
    assert usedBytes >= 0 && usedBytes <= limitBytes : usedBytes + " of " + limitBytes;
    return true;
  }
}
