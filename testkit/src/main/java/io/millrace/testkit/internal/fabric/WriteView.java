package io.millrace.testkit.internal.fabric;

import java.lang.foreign.MemorySegment;

/** A one-sided write on its way, to look at. Valid during the call that it was given to only. */
public interface WriteView {
  /**
   * The link between the two interfaces ({@link io.millrace.testkit.internal.net.SimLink#key()}).
   */
  long link();

  /** The node that posts it. */
  int node();

  /** Which message or write of its link it is, from 0. */
  long ordinal();

  /** The key at the target. */
  long remoteKey();

  /** The address at the target. */
  long remoteAddress();

  /** How many bytes. */
  int length();

  /** The bytes, where they lie at the sender. */
  MemorySegment source();
}
