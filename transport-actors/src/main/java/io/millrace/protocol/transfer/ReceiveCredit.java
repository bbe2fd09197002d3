package io.millrace.protocol.transfer;

import io.millrace.protocol.congestion.ReceiveBudget;

/**
 * Decides how many inline bytes a peer may send in all on this path: the consumed bytes plus the
 * window; rules C-2 to C-4. The window is the window of the handshake and, for an active path, a
 * share of the worker's {@link ReceiveBudget}; without a bound the window is always the largest. A
 * peer that sends more broke the protocol. Owned by the path's worker. Time is passed in; does not
 * allocate.
 */
public final class ReceiveCredit {
  private final long baseBytes;
  private final long mostBytes;
  private final ReceiveBudget budget;
  private final ReceiveBudget.Share share = new ReceiveBudget.Share();
  private long windowBytes;

  /** Credit for answers in place of grants that went with requests. */
  private long pulledBytes;

  private long receivedBytes;
  private long consumedBytes;
  private long announcedBytes;
  private long trackedBytes;

  /** The newest limit, which may be less than an earlier limit. */
  private long toldBytes;

  /**
   * A window of which the handshake announced the first bytes.
   *
   * @param initialBytes the allowance that the peer knows, at most {@code mostBytes}
   * @param mostBytes the most that the peer may have outstanding after an announcement
   * @param budget the budget that all paths of the worker share
   */
  public ReceiveCredit(long initialBytes, long mostBytes, ReceiveBudget budget) {
    this.baseBytes = initialBytes;
    this.mostBytes = mostBytes;
    this.budget = budget;
    windowBytes = budget.isBounded() ? initialBytes : mostBytes;
    announcedBytes = initialBytes;
    toldBytes = initialBytes;
    trackedBytes = initialBytes;
  }

  /**
   * A message of this cost arrived for the first time.
   *
   * @return false when the peer had no credit for the message
   */
  public boolean onReceived(int costBytes) {
    if (receivedBytes + costBytes > announcedBytes) {
      return false;
    }
    receivedBytes += costBytes;
    budget.onArrived(share, costBytes);
    assert invariantsHold();
    return true;
  }

  /** The memory of a received message is free again. */
  public void onConsumed(int costBytes) {
    consumedBytes += costBytes;
    assert invariantsHold();
  }

  /**
   * The limit to write into an acknowledgement now. The limit counts as allowed from here on,
   * whether or not the packet arrives.
   */
  public long announce(long nowNs) {
    if (budget.isBounded()) {
      windowBytes =
          Math.clamp(baseBytes + Math.max(budget.offer(share), pulledBytes), baseBytes, mostBytes);
    }
    toldBytes = consumedBytes + windowBytes;
    announcedBytes = Math.max(announcedBytes, toldBytes);
    if (budget.isBounded()) {
      budget.take(share, Math.max(toldBytes - receivedBytes - baseBytes, 0), nowNs);
    }
    return toldBytes;
  }

  /**
   * Whether the peer should be told before the peer answers: the known allowance for unasked data
   * is smaller than the room.
   */
  public boolean isWorthTelling() {
    return budget.isBounded() && 2 * share.bytes() < Math.min(budget.offer(share), mostBytes);
  }

  /** The peer may send this many bytes more, or fewer, because of foreseen answers; rule C-10. */
  public void onPulled(int bytes) {
    pulledBytes += bytes;
    assert pulledBytes >= 0;
  }

  /** The path is over: the path's share is free. */
  public void close(long nowNs) {
    budget.take(share, 0, nowNs);
  }

  /** The last {@link #announce} went in a packet that is retransmitted after a loss. */
  public void onAnnouncementTracked() {
    trackedBytes = toldBytes;
    assert invariantsHold();
  }

  /**
   * Whether so much was consumed since the last tracked announcement that the peer must be told:
   * acknowledgements are not sent again, so acknowledgements alone could leave a peer without
   * credit for ever. A base is so small that a peer needs the whole base for a single message.
   */
  public boolean isAnnouncementDue() {
    return consumedBytes + windowBytes - trackedBytes >= windowBytes >>> 1
        || budget.isBounded()
            && consumedBytes == receivedBytes
            && trackedBytes < consumedBytes + baseBytes;
  }

  /** Whether this node bounds the unasked data of peers, answers included; rule C-8. */
  public boolean isBounded() {
    return budget.isBounded();
  }

  /** Bytes received and not yet consumed. */
  public long outstandingBytes() {
    return receivedBytes - consumedBytes;
  }

  private boolean invariantsHold() {
    assert consumedBytes <= receivedBytes && receivedBytes <= announcedBytes;
    assert trackedBytes <= announcedBytes;
    return true;
  }
}
