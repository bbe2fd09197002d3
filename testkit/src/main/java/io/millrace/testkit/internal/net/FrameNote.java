package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.FrameType;

/**
 * A frame of a packet, as the sender knew the frame before sealing.
 *
 * @param frame type of the frame
 * @param subject of the frame, see {@link FrameType}; {@link #NO_SUBJECT} without a subject
 */
public record FrameNote(FrameType frame, long subject) {
  /** The frame has no subject with a number. */
  public static final long NO_SUBJECT = -1;

  @Override
  public String toString() {
    return subject == NO_SUBJECT ? frame.toString() : frame + " " + subject;
  }
}
