package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The frames that wait on one path: eight levels, first in first out in each, retransmissions ahead
 * of their level. Owned by the path's worker. No clock; does not allocate.
 */
public final class FrameQueue {
  /** Priority levels; 0 is served first. */
  public static final int LEVELS = 8;

  private final @Nullable OutboundFrame[] heads = new OutboundFrame[LEVELS];
  private final @Nullable OutboundFrame[] tails = new OutboundFrame[LEVELS];
  private final int[] counts = new int[LEVELS];
  private int nonEmpty;
  private int frames;
  private long bytes;

  /** Appends the frame to its level. */
  public void add(OutboundFrame frame) {
    int level = link(frame);
    frame.next = null;
    OutboundFrame tail = tails[level];
    if (tail == null) {
      heads[level] = frame;
    } else {
      tail.next = frame;
    }
    tails[level] = frame;
    assert invariantsHold();
  }

  /** Puts a frame that is sent again in front of its level. */
  public void addFirst(OutboundFrame frame) {
    int level = link(frame);
    frame.next = heads[level];
    heads[level] = frame;
    if (tails[level] == null) {
      tails[level] = frame;
    }
    assert invariantsHold();
  }

  /** Puts a frame that is sent again behind one of its level, which is queued. */
  public void addBehind(OutboundFrame before, OutboundFrame frame) {
    if (before.queue != this || before.priority() != frame.priority()) {
      throw new IllegalArgumentException("the frame in front is not queued here at this level");
    }
    int level = link(frame);
    frame.next = before.next;
    before.next = frame;
    if (frame.next == null) {
      tails[level] = frame;
    }
    assert invariantsHold();
  }

  /** The frame to send next at this level, or null; it stays queued. */
  public @Nullable OutboundFrame peek(int level) {
    return heads[level];
  }

  /** Takes the frame that {@link #peek} shows. */
  public OutboundFrame poll(int level) {
    OutboundFrame frame = heads[level];
    if (frame == null) {
      throw new IllegalStateException("level " + level + " is empty");
    }
    OutboundFrame next = frame.next;
    heads[level] = next;
    if (next == null) {
      tails[level] = null;
      nonEmpty &= ~(1 << level);
    }
    unlink(frame, level);
    return frame;
  }

  private void unlink(OutboundFrame frame, int level) {
    frame.next = null;
    frame.queue = null;
    frames--;
    counts[level]--;
    bytes -= frame.encodedLength();
    assert invariantsHold();
  }

  /** Takes a frame out that is queued here, wherever it stands; looks from the front. */
  public void remove(OutboundFrame frame) {
    if (frame.queue != this) {
      throw new IllegalArgumentException("the frame is not queued here");
    }
    int level = frame.priority();
    OutboundFrame before = null;
    OutboundFrame each = heads[level];
    while (each != null && each != frame) {
      before = each;
      each = each.next;
    }
    if (before == null) {
      poll(level);
      return;
    }
    before.next = frame.next;
    if (frame.next == null) {
      tails[level] = before;
    }
    unlink(frame, level);
  }

  /** Bit n is set when level n holds a frame. */
  public int nonEmptyLevels() {
    return nonEmpty;
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return frames == 0;
  }

  /** Frames that wait. */
  public int size() {
    return frames;
  }

  /** Encoded bytes that wait. */
  public long bytes() {
    return bytes;
  }

  private int link(OutboundFrame frame) {
    if (frame.queue != null) {
      throw new IllegalStateException("the frame is queued already");
    }
    int level = frame.priority();
    frame.queue = this;
    nonEmpty |= 1 << level;
    frames++;
    counts[level]++;
    bytes += frame.encodedLength();
    return level;
  }

  private boolean invariantsHold() {
    int total = 0;
    for (int level = 0; level < LEVELS; level++) {
      boolean present = (nonEmpty & (1 << level)) != 0;
      assert present == (heads[level] != null) && present == (tails[level] != null);
      assert present == counts[level] > 0;
      total += counts[level];
    }
    assert total == frames && bytes >= 0 && (frames > 0 || bytes == 0);
    return true;
  }
}
