package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.FrameType;

/**
 * What a packet holds, as its sender knew before it was sealed.
 *
 * @param frame what it is
 * @param subject what it is about, see {@link FrameType}; {@link #NO_SUBJECT} if nothing
 */
public record FrameNote(FrameType frame, long subject) {
  /** It is about nothing that has a number. */
  public static final long NO_SUBJECT = -1;

  @Override
  public String toString() {
    return subject == NO_SUBJECT ? frame.toString() : frame + " " + subject;
  }
}
