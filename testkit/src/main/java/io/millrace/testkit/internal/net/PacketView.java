package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import java.util.List;
import org.agrona.DirectBuffer;

/** A view of a datagram on its way. Valid only during the call that receives the view. */
public interface PacketView {
  /** The sender's address; allocates. */
  SimAddress source();

  /** The destination; allocates. */
  SimAddress destination();

  /** The datagram's link ({@link SimLink#key()}). */
  long link();

  /** Number of the datagram on its link, from 0; a second copy has the same number. */
  long ordinal();

  /** Time of sending, virtual ns. */
  long sentNs();

  /** The datagram's bytes, from 0 on; damage included. */
  DirectBuffer bytes();

  /** Number of bytes. */
  int length();

  /** The two ECN bits. */
  int ecn();

  /** Whether this datagram is a second copy. */
  boolean isDuplicate();

  /** Whether the datagram was corrupted or truncated. */
  boolean isDamaged();

  /** The sender's notes about the datagram. */
  List<FrameNote> notes();
}
