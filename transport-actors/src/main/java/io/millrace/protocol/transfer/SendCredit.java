package io.millrace.protocol.transfer;

/**
 * Decides whether another inline message may go to a peer: all bytes sent on this path stay within
 * the limit that the peer last announced; rules C-2, C-3 and C-7. Where limits have a lifetime,
 * only the base of the handshake may be used of an older limit. Owned by the path's worker. Time is
 * passed in; does not allocate.
 */
public final class SendCredit {
  private final long baseBytes;
  private final long lifetimeNs;
  private long limitBytes;
  private long usedBytes;
  private long heardNs;
  private long heardIn = -1;

  /** The usable limit: the limit, or less once the limit is too old. */
  private long usableBytes;

  /** Starts with the handshake's limit, which has no end. */
  public SendCredit(long initialLimitBytes) {
    this(initialLimitBytes, 0);
  }

  /**
   * Starts with the handshake's limit.
   *
   * @param baseBytes the handshake's limit: the bytes that may be sent while all sent bytes are
   *     confirmed
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
   * A limit arrived. An overtaken limit changes nothing: without a lifetime limits only grow, with
   * a lifetime the newest limit counts, which may be less than an earlier limit.
   *
   * @param packetNumber number of the packet with the limit
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
   * Time has passed: a limit that is too old is good for frames that wait already, or for the base.
   *
   * @param owedBytes the credit that the waiting frames are going to take
   */
  public void onTime(long owedBytes, long nowNs) {
    if (lifetimeNs > 0 && usableBytes == limitBytes && nowNs - heardNs >= lifetimeNs) {
      usableBytes = Math.min(limitBytes, usedBytes + Math.max(baseBytes, owedBytes));
    }
  }

  /** Whether limits have a lifetime: then the peer bounds unasked data. */
  public boolean isBounded() {
    return lifetimeNs > 0;
  }

  /**
   * Whether a message of this cost should wait for credit, behind the waiting frames: the path has
   * credit for the message, or will have the credit by itself.
   */
  public boolean isWorthWaiting(int costBytes, long owedBytes) {
    return costBytes <= mostBytes(owedBytes);
  }

  /** The largest message that is worth waiting, bytes of cost. */
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
