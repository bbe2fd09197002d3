package io.millrace.protocol.congestion;

/**
 * The last time that packets were lost, and what to go back to if none of them was:
 * draft-ietf-ccwg-bbr-06, "Updating the Model Upon Detecting a Spurious Loss Recovery". All packets
 * that left before its first loss was noticed belong to it, so that several losses share one saved
 * state. Owned by one {@link Bbr}.
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

  /** Begins one: all packets that left so far are of it. */
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

  /** A packet of it was lost; false if the one before it was the last that was lost. */
  boolean onLost(long number) {
    final boolean isApart = number != lastLost + 1;
    lostPackets++;
    lastLost = number;
    return isApart;
  }

  /** Packets were marked meanwhile: the path was full, whatever becomes of those lost. */
  void onMarks() {
    hasMarks = true;
  }

  /** It made the controller leave this state. */
  void onLeft(BbrState state) {
    undoState = state;
    hasUndoState = true;
  }

  /** A packet that was declared lost has arrived; true if none of the episode was lost, then. */
  boolean onArrived(long number) {
    if (number <= before || number > last || lostPackets == 0) {
      return false;
    }
    arrivedPackets++;
    return arrivedPackets == lostPackets && !hasMarks;
  }

  /** A packet was acknowledged; true if it is the first that left after the episode began. */
  boolean endsRecovery(long ackedNumber) {
    return isRecovering && ackedNumber > last;
  }

  /** What was lost has been sent again. */
  void endRecovery() {
    isRecovering = false;
  }

  /** Forgets it: another loss begins another. */
  void forget() {
    lostPackets = 0;
    hasUndoState = false;
    isRecovering = false;
    last = before;
  }

  boolean isRecovering() {
    return isRecovering;
  }

  /** Whether it made the controller leave this state. */
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
