package io.millrace.path.packet;

import io.millrace.protocol.transfer.ReceiveCredit;

/**
 * The inline bytes that the peer of one path may send unasked, and the number of bytes received so
 * far; rules C-2, C-5 and C-8. {@link PathFrames} has the credit of the other direction, the
 * allowance by the peer. On the worker's thread; does not allocate.
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

  /** Whether this side's link bounds the bytes that the peer sends unasked, answers included. */
  public boolean isBounded() {
    return credit.isBounded();
  }

  /** A message of this cost came; the peer must have had the credit for the message. */
  public void require(int costBytes) {
    if (!credit.onReceived(costBytes)) {
      throw new ProtocolViolationException(NO_CREDIT);
    }
  }

  /** A message of this cost is not kept here any more. */
  public void onConsumed(int costBytes) {
    credit.onConsumed(costBytes);
    if (credit.isAnnouncementDue()) {
      want();
    }
  }

  /** The sender paid this much for bytes not kept here, or not kept any more. */
  public void account(long costBytes) {
    if (costBytes > Integer.MAX_VALUE) {
      throw new ProtocolViolationException("a transfer took " + costBytes + " bytes of credit");
    }
    if (costBytes > 0) {
      require((int) costBytes);
      onConsumed((int) costBytes);
    }
  }

  /**
   * A request goes now: the same packet tells the peer the limit, so that the answer need not ask
   * for memory.
   */
  public void onRequestQueued() {
    if (credit.isWorthTelling()) {
      want();
    }
  }

  /** The answer of a foreseen length may come now, by credit; rule C-10. */
  public void onPulled(int bytes) {
    credit.onPulled(bytes);
    want();
  }

  /** An answer that was to come by such credit has come, or never will. */
  public void onPulledOver(int bytes) {
    credit.onPulled(-bytes);
  }

  /** The peer should learn of the present limit. */
  void want() {
    isWanted = true;
    path.touch();
  }

  boolean isWanted() {
    return isWanted;
  }

  /** Returns the limit to announce to the peer: the bytes accepted by this side. */
  public long announce() {
    return credit.announce(path.nowNs());
  }

  /** The limit announced last goes again if its packet is lost. */
  void onTracked() {
    credit.onAnnouncementTracked();
    isWanted = false;
  }

  /** The number of bytes received and not yet consumed. */
  public long outstandingBytes() {
    return credit.outstandingBytes();
  }

  /** The path is over: gives the credit back. */
  void close(long nowNs) {
    credit.close(nowNs);
  }
}
