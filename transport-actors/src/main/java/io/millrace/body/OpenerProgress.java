package io.millrace.body;

/**
 * Whether the target of a body takes bytes, as seen by the worker. The worker looks through the
 * fills waiting for the target while their memory is wanted: in each look, first {@link #onSeen}
 * for all fills, then {@link #isSurplus}. Worker's thread only; time is passed in.
 */
public final class OpenerProgress {
  /**
   * The most fills taken back and not yet seen by the opener; a sender cannot add to these fills.
   */
  private static final int MOST_TAKEN_BACK = 64;

  private int look;
  private long openedBytes = -1;
  private long sinceNs;
  private long gapSinceNs;
  private boolean hasNext;
  private int takenBack;

  OpenerProgress() {}

  /**
   * A fill waits for the target.
   *
   * @param opened the number of opened bytes of the body
   * @param looking the number of the look
   */
  public void onSeen(InboundFill fill, long opened, int looking, long nowNs) {
    if (look != looking) {
      look = looking;
      hasNext = false;
      if (openedBytes != opened) {
        openedBytes = opened;
        sinceNs = nowNs;
        gapSinceNs = nowNs;
      }
    }
    long position = fill.position();
    hasNext |= position <= openedBytes && openedBytes < position + fill.lengthBytes();
  }

  /**
   * Whether the fill is of no use now. With the bytes ahead of the fill present, the target has
   * taken no byte for so long. With these bytes missing, they have been missing for longer than a
   * sender may let a fill stand still.
   */
  public boolean isSurplus(InboundFill fill, long nowNs, long patienceNs, long stallTimeoutNs) {
    if (hasNext) {
      gapSinceNs = nowNs;
    } else {
      sinceNs = nowNs;
    }
    boolean isStalled =
        hasNext ? nowNs - sinceNs >= patienceNs : nowNs - gapSinceNs >= stallTimeoutNs;
    return isStalled && fill.position() > openedBytes && takenBack < MOST_TAKEN_BACK;
  }

  /** A fill was taken back. */
  void onTakenBack() {
    takenBack++;
  }

  /** The opener has seen the loss of a fill taken back. */
  public void onReturned() {
    takenBack--;
  }
}
