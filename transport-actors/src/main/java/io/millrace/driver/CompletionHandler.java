package io.millrace.driver;

import io.millrace.memory.SegmentBuffer;

/**
 * Takes the completions and datagrams that {@link Endpoint#poll} reaps. Called on the worker's
 * thread, inside {@code poll}. The handler must not call {@code poll} or {@code close}; the handler
 * may post.
 */
public interface CompletionHandler {
  /** {@link #onSendComplete} and {@link #onWriteComplete}: the train or the write went out. */
  int STATUS_OK = 0;

  /** The network refused the datagram: no route, message too long, no buffer. */
  int STATUS_FAILED = 1;

  /** The remote key was not valid at the target, or the bounds were not. */
  int STATUS_REMOTE_ACCESS = 2;

  /** The destination is gone. */
  int STATUS_UNREACHABLE = 3;

  /**
   * The destination had no free receive buffer for too long, however often the post was repeated.
   */
  int STATUS_NOT_READY = 4;

  /**
   * A datagram arrived.
   *
   * @param buffer native memory; valid during the call only; the handler may write into the
   *     datagram's bytes, because decryption is in place
   * @param offset of the datagram's first byte
   * @param length bytes of the datagram
   * @param ecn the two ECN bits, 0 when unknown; 3 is CE
   */
  void onReceive(SegmentBuffer buffer, int offset, int length, int ecn);

  /** The driver is done with the buffer of a posted train. */
  default void onSendComplete(long context, int status) {}

  /** A one-sided write is complete at the target when {@code status} is OK. */
  default void onWriteComplete(long context, int status) {}

  /** A peer's one-sided write with this immediate value is complete in our memory. */
  default void onRemoteWrite(long immediate) {}

  /** An ICMP error or a dead connection was reported for this destination. */
  default void onUnreachable(int destination) {}

  /**
   * The network reports that nobody listens at this destination: an ICMP port unreachable. Anybody
   * who knows the addresses can send such a message.
   *
   * @param quoted the beginning of the datagram that caused the message; valid during the call only
   * @param length the quoted length of the datagram, bytes; 0 if nothing is quoted
   */
  default void onRefused(int destination, SegmentBuffer quoted, int offset, int length) {
    onUnreachable(destination);
  }

  /**
   * The driver keeps the posts to this destination for later: posts so far wait in order, and
   * further posts only fill the driver's buffers. Once for each such episode, after a while; once
   * more after posts during the episode, whose sender may not know of the episode.
   */
  default void onHeld(int destination, HoldCause cause) {}

  /** An episode of {@link #onHeld} is over: the driver posts again, or has given up its posts. */
  default void onLetGo(int destination) {}

  /** The path to this destination turned out to carry no more than this many bytes a datagram. */
  default void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {}
}
