package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The waiting frames of a path: eight levels, first in first out in each, retransmissions ahead of
 * their level. A frame that has to pay and has no credit stands aside: free frames go past, and
 * each paying frame behind keeps its place; rule C-3. Owned by the path's worker. No clock; every
 * operation is O(1) but for a look at the levels; does not allocate.
 */
public final class FrameQueue {
  /** Priority levels; 0 is served first. */
  public static final int LEVELS = 8;

  /** For each level, the free frames; behind them, for each level, the paying frames. */
  private final FrameLane[] lanes = new FrameLane[2 * LEVELS];

  private final int[] counts = new int[LEVELS];
  private int nonEmpty;
  private int frames;
  private long bytes;
  private long owedBytes;
  private long firstPlace;
  private long lastPlace;

  /** An empty queue. */
  public FrameQueue() {
    for (int lane = 0; lane < lanes.length; lane++) {
      lanes[lane] = new FrameLane();
    }
  }

  /** Appends the frame to its level. */
  public void add(OutboundFrame frame) {
    link(frame, paysFor(frame), lastPlace++);
    laneOf(frame).addLast(frame);
    assert invariantsHold();
  }

  /**
   * Appends the frame to its level, and lets the frame pass no paying frame there: the frame makes
   * sense only behind a paying frame.
   */
  public void addInOrder(OutboundFrame frame) {
    link(frame, true, lastPlace++);
    laneOf(frame).addLast(frame);
    assert invariantsHold();
  }

  /** Puts a retransmitted frame in front of its level. */
  public void addFirst(OutboundFrame frame) {
    link(frame, paysFor(frame), --firstPlace);
    laneOf(frame).addFirst(frame);
    assert invariantsHold();
  }

  /** Puts a retransmitted frame behind a queued frame of its level. */
  public void addBehind(OutboundFrame before, OutboundFrame frame) {
    if (before.queue != this || before.priority() != frame.priority()) {
      throw new IllegalArgumentException("the frame in front is not queued here at this level");
    }
    link(frame, before.isPaying(), before.place);
    laneOf(frame).addBehind(before, frame);
    assert invariantsHold();
  }

  /** The frame that has waited longest at this level, or null; the frame stays queued. */
  public @Nullable OutboundFrame peek(int level) {
    OutboundFrame free = lanes[level].head();
    OutboundFrame paying = lanes[LEVELS + level].head();
    if (free == null) {
      return paying;
    }
    return paying == null || free.place <= paying.place ? free : paying;
  }

  /**
   * The frame to send next at this level with this credit, or null; the frame stays queued. An
   * unwanted frame is shown, whatever the frame costs, so that the frame leaves.
   */
  public @Nullable OutboundFrame peek(int level, SendCredit credit) {
    OutboundFrame first = peek(level);
    if (first == null || !first.isPaying() || first.isObsolete()) {
      return first;
    }
    boolean isPaid = first.isCharged() || credit.canSend(first.costBytes());
    return isPaid ? first : lanes[level].head();
  }

  /** Takes the frame that {@link #peek(int)} shows. */
  public OutboundFrame poll(int level) {
    OutboundFrame frame = peek(level);
    if (frame == null) {
      throw new IllegalStateException("level " + level + " is empty");
    }
    remove(frame);
    return frame;
  }

  /** Takes a queued frame out, from any place. */
  public void remove(OutboundFrame frame) {
    if (frame.queue != this) {
      throw new IllegalArgumentException("the frame is not queued here");
    }
    int level = frame.priority();
    laneOf(frame).remove(frame);
    frame.queue = null;
    frames--;
    counts[level]--;
    if (counts[level] == 0) {
      nonEmpty &= ~(1 << level);
    }
    bytes -= frame.encodedLength();
    owedBytes -= owed(frame);
    assert invariantsHold();
  }

  /** Bit n is set when level n holds a frame. */
  public int nonEmptyLevels() {
    return nonEmpty;
  }

  /** Bit n is set when level n holds a frame that may go with this credit. */
  public int sendableLevels(SendCredit credit) {
    int sendable = 0;
    for (int left = nonEmpty; left != 0; left &= left - 1) {
      int level = Integer.numberOfTrailingZeros(left);
      if (peek(level, credit) != null) {
        sendable |= 1 << level;
      }
    }
    return sendable;
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return frames == 0;
  }

  /** Frames that wait. */
  public int size() {
    return frames;
  }

  /** Encoded bytes of the waiting frames. */
  public long bytes() {
    return bytes;
  }

  /** Credit that the waiting frames are going to take. */
  public long owedBytes() {
    return owedBytes;
  }

  private static boolean paysFor(OutboundFrame frame) {
    return !frame.isCharged() && frame.costBytes() > 0;
  }

  private FrameLane laneOf(OutboundFrame frame) {
    return lanes[(frame.isPaying() ? LEVELS : 0) + frame.priority()];
  }

  private void link(OutboundFrame frame, boolean isPaying, long place) {
    if (frame.queue != null) {
      throw new IllegalStateException("the frame is queued already");
    }
    int level = frame.priority();
    frame.queue = this;
    frame.setPaying(isPaying);
    frame.place = place;
    nonEmpty |= 1 << level;
    frames++;
    counts[level]++;
    bytes += frame.encodedLength();
    owedBytes += owed(frame);
  }

  private static int owed(OutboundFrame frame) {
    return frame.isCharged() ? 0 : frame.costBytes();
  }

  private boolean invariantsHold() {
    int total = 0;
    for (int level = 0; level < LEVELS; level++) {
      boolean present = (nonEmpty & (1 << level)) != 0;
      assert present == (peek(level) != null);
      assert present == counts[level] > 0;
      total += counts[level];
    }
    assert total == frames && bytes >= 0 && (frames > 0 || bytes == 0);
    return true;
  }
}
