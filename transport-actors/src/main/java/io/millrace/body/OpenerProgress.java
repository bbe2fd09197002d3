package io.millrace.body;

/**
 * Whether the target of a body takes anything, as the worker sees it that looks through the fills
 * which wait for it while their memory is wanted: in each look, first {@link #onSeen} for all of
 * them, then {@link #isSurplus}. Worker's thread only; time is passed in.
 */
public final class OpenerProgress {
  /** Fills that were taken back and that the opener has not seen; a sender cannot add to them. */
  private static final int MOST_TAKEN_BACK = 64;

  private int look;
  private long openedBytes = -1;
  private long sinceNs;
  private long gapSinceNs;
  private boolean hasNext;
  private int takenBack;

  OpenerProgress() {}

  /**
   * A fill waits.
   *
   * @param opened bytes of the body that were opened
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
   * Whether the fill is of no use now: what comes before it is there, too, and of that nothing was
   * taken for so long; or it has not come for longer than a sender may let a fill stand still.
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

  /** The opener has seen that. */
  public void onReturned() {
    takenBack--;
  }
}
