package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import java.util.List;
import org.agrona.DirectBuffer;

/** A datagram on its way, to look at. Valid during the call that it was given to only. */
public interface PacketView {
  /** Who sent it; allocates. */
  SimAddress source();

  /** Where it goes; allocates. */
  SimAddress destination();

  /** Its link ({@link SimLink#key()}). */
  long link();

  /** Which datagram of its link it is, from 0; a second copy has the same. */
  long ordinal();

  /** When it was sent, virtual ns. */
  long sentNs();

  /** Its bytes, from 0 on; damage included. */
  DirectBuffer bytes();

  /** How many bytes. */
  int length();

  /** The two ECN bits. */
  int ecn();

  /** Whether it is a second copy. */
  boolean isDuplicate();

  /** Whether it was corrupted or truncated. */
  boolean isDamaged();

  /** What the sender noted about it. */
  List<FrameNote> notes();
}
