package io.millrace.actor.packet;

import io.millrace.transfer.CallOutcome;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Who has the packets of one path: takes the frames in them, does its part of each turn, and is
 * told what becomes of the peer. On the worker's thread.
 */
public interface PathOwner {
  /** An authentic packet came; what is in it follows. */
  void onPacket(long packetNumber);

  /**
   * A frame came that lies between {@code at} and {@code end}. A template that is not known is a
   * violation.
   *
   * @return false if it must count as not received, so that it is sent again
   */
  boolean onFrame(int template, UnsafeBuffer buffer, int at, int end);

  /** Whether an opened packet of chunks has as many bytes behind its tag as its frames say. */
  boolean isWhole(UnsafeBuffer buffer, int offset, int length);

  /** A packet of chunks came that is whole. As {@link #onFrame}. */
  boolean onChunks(UnsafeBuffer buffer, int offset);

  /** A deadline of the path has come. */
  void onTimer(long nowNs);

  /** When {@link #onTimer} has something to do, ns. */
  long nextDeadlineNs();

  /** The look before the worker transmits: calls that wait may take room that others left. */
  void makeRoom();

  /** The last look of a turn: what must be queued now. */
  void endTurn(long nowNs);

  /** Whether the peer may be silent for long. */
  boolean isRestful();

  /** The peer does not answer. */
  void onSuspected();

  /** The peer was heard of again. */
  void onTrusted();

  /** Handling the path threw; it handles nothing more until it is closed. */
  void onFault(Throwable fault);

  /** The path is over, for the peer said so or was told so. */
  void onEnd(CallOutcome outcome, String text);
}
