package io.millrace.path.packet;

import io.millrace.protocol.transfer.ReceiveCredit;

/**
 * What this side of one path allows its peer to send unasked, and what of it has come; rules C-2,
 * C-5 and C-8. The other way, what the peer allows, is with {@link PathFrames}. On the worker's
 * thread; does not allocate.
 */
public final class InlineCredit {
  private static final String NO_CREDIT = "the peer sent more inline bytes than it was allowed";

  private final PathContext path;
  private final ReceiveCredit credit;
  private boolean isWanted;

  InlineCredit(PathContext path, PathTerms terms) {
    this.path = path;
    credit =
        new ReceiveCredit(
            terms.receiveWindow().initialBytes(),
            terms.receiveWindowBytes(),
            path.worker().receiveBudget());
  }

  /** Whether what the peer sends unasked is bounded by the link of this side, answers included. */
  public boolean isBounded() {
    return credit.isBounded();
  }

  /** A message of this cost came: it was allowed. */
  public void require(int costBytes) {
    if (!credit.onReceived(costBytes)) {
      throw new ProtocolViolationException(NO_CREDIT);
    }
  }

  /** What cost so much is not kept here any more. */
  public void onConsumed(int costBytes) {
    credit.onConsumed(costBytes);
    if (credit.isAnnouncementDue()) {
      want();
    }
  }

  /** The sender paid for this much that is not kept here, or not any more. */
  public void account(long costBytes) {
    if (costBytes > Integer.MAX_VALUE) {
      throw new ProtocolViolationException("a transfer took " + costBytes + " bytes of credit");
    }
    if (costBytes > 0) {
      require((int) costBytes);
      onConsumed((int) costBytes);
    }
  }

  /** A request goes now: with it the peer is told, so that its answer need not ask for memory. */
  public void onRequestQueued() {
    if (credit.isWorthTelling()) {
      want();
    }
  }

  /** The peer should learn of its limit. */
  void want() {
    isWanted = true;
    path.touch();
  }

  boolean isWanted() {
    return isWanted;
  }

  /** What to tell the peer that this side takes. */
  public long announce() {
    return credit.announce(path.nowNs());
  }

  /** The limit just told goes again if it is lost. */
  void onTracked() {
    credit.onAnnouncementTracked();
    isWanted = false;
  }

  /** Bytes that arrived and were not consumed. */
  public long outstandingBytes() {
    return credit.outstandingBytes();
  }

  /** The path is over. */
  void close(long nowNs) {
    credit.close(nowNs);
  }
}
