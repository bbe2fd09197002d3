package io.millrace.protocol.transfer;

/**
 * Decides whether one more inline message may go to a peer: what was sent in all, on this path,
 * stays within the limit that the peer last announced; rules C-2 and C-3. Owned by the path's
 * worker. No clock; does not allocate.
 */
public final class SendCredit {
  private long limitBytes;
  private long usedBytes;

  /** Starts with the limit that the handshake brought. */
  public SendCredit(long initialLimitBytes) {
    limitBytes = initialLimitBytes;
    assert invariantsHold();
  }

  /** A limit arrived; limits only grow, so one that was overtaken changes nothing. */
  public void onLimit(long limitBytes) {
    if (limitBytes > this.limitBytes) {
      this.limitBytes = limitBytes;
    }
    assert invariantsHold();
  }

  /** Whether a message of this cost may go now. */
  public boolean canSend(int costBytes) {
    return usedBytes + costBytes <= limitBytes;
  }

  /** A message of this cost goes for the first time. */
  public void onSent(int costBytes) {
    usedBytes += costBytes;
    assert invariantsHold();
  }

  /** Bytes that may still go. */
  public long availableBytes() {
    return limitBytes - usedBytes;
  }

  private boolean invariantsHold() {
    assert usedBytes >= 0 && usedBytes <= limitBytes : usedBytes + " of " + limitBytes;
    return true;
  }
}
