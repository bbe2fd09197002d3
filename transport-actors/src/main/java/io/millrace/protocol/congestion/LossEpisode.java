package io.millrace.protocol.congestion;

/**
 * The last time that packets were lost, and the state to go back to if no packet was lost after
 * all: draft-ietf-ccwg-bbr-06, "Updating the Model Upon Detecting a Spurious Loss Recovery". All
 * packets that left before the first loss was noticed belong to the episode, so that several losses
 * share a saved state. Owned by a {@link Bbr}.
 */
final class LossEpisode {
  private static final long NONE = -1;

  /** The packets of the episode: above {@link #before}, up to {@link #last}. */
  private long before = NONE;

  private long last = NONE;
  private long lastSent = NONE;
  private long lastLost = NONE;
  private int lostPackets;
  private int arrivedPackets;
  private boolean isRecovering;
  private boolean hasMarks;

  private BbrState undoState = BbrState.DOWN;
  private boolean hasUndoState;
  private long savedBytesPerSecond;
  private long savedShortTermBytes;
  private long savedLongTermBytes;

  /** Whether the loss of this packet begins another episode. */
  boolean isNew(long number) {
    return number > last;
  }

  /** A packet left. */
  void onSent(long number) {
    lastSent = number;
  }

  /** Begins an episode: all packets that left so far are part of the episode. */
  void begin(ShortTermBounds shortTerm, LongTermBound longTerm) {
    before = last;
    last = lastSent;
    lostPackets = 0;
    arrivedPackets = 0;
    hasMarks = false;
    isRecovering = true;
    hasUndoState = false;
    savedBytesPerSecond = shortTerm.bytesPerSecond();
    savedShortTermBytes = shortTerm.inFlightBytes();
    savedLongTermBytes = longTerm.bytes();
  }

  /** A packet of the episode was lost; false if the packet before was the last lost packet. */
  boolean onLost(long number) {
    final boolean isApart = number != lastLost + 1;
    lostPackets++;
    lastLost = number;
    return isApart;
  }

  /** Packets were marked meanwhile: the path was full, whatever becomes of the lost packets. */
  void onMarks() {
    hasMarks = true;
  }

  /** The episode made the controller leave this state. */
  void onLeft(BbrState state) {
    undoState = state;
    hasUndoState = true;
  }

  /**
   * A packet that was declared lost has arrived; true if then no packet of the episode was lost.
   */
  boolean onArrived(long number) {
    if (number <= before || number > last || lostPackets == 0) {
      return false;
    }
    arrivedPackets++;
    return arrivedPackets == lostPackets && !hasMarks;
  }

  /** A packet was acknowledged; true for the first packet that left after the episode began. */
  boolean endsRecovery(long ackedNumber) {
    return isRecovering && ackedNumber > last;
  }

  /** The lost packets' content has been sent again. */
  void endRecovery() {
    isRecovering = false;
  }

  /** Forgets the episode: another loss begins another. */
  void forget() {
    lostPackets = 0;
    hasUndoState = false;
    isRecovering = false;
    last = before;
  }

  boolean isRecovering() {
    return isRecovering;
  }

  /** Whether the episode made the controller leave this state. */
  boolean hasLeft(BbrState state) {
    return hasUndoState && undoState == state;
  }

  long savedBytesPerSecond() {
    return savedBytesPerSecond;
  }

  long savedShortTermBytes() {
    return savedShortTermBytes;
  }

  long savedLongTermBytes() {
    return savedLongTermBytes;
  }
}
