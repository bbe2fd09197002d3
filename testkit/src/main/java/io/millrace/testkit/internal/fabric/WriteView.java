package io.millrace.testkit.internal.fabric;

import java.lang.foreign.MemorySegment;

/** A view of a one-sided write on its way. Valid only during the call that receives the view. */
public interface WriteView {
  /**
   * The link between the two interfaces ({@link io.millrace.testkit.internal.net.SimLink#key()}).
   */
  long link();

  /** The node that posts the write. */
  int node();

  /** Number of the message or write on its link, from 0. */
  long ordinal();

  /** The key at the target. */
  long remoteKey();

  /** The address at the target. */
  long remoteAddress();

  /** Number of bytes. */
  int length();

  /** The bytes in the sender's memory. */
  MemorySegment source();
}
