package io.millrace.api;

import io.millrace.access.PeerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** A call that a {@link WorkerHandler} answers. Reused for the next call: never keep it. */
public interface WorkerCall {
  /** Identity of the caller: its handshake address. */
  String peer();

  /** What the handshake proved of the caller; immutable, it may be kept. */
  PeerIdentity identity();

  /** 0 to 7, as the caller chose. */
  int priority();

  /** Memory that holds headers and payload of the request. */
  DirectBuffer buffer();

  /** First byte of the headers in {@link #buffer()}. */
  int headersOffset();

  /** Bytes of headers. */
  int headersLength();

  /** First byte of the payload in {@link #buffer()}. */
  int payloadOffset();

  /** Bytes of payload. */
  int payloadLength();

  /** Answers with a copy of these bytes. */
  void reply(DirectBuffer source, int offset, int length);

  /**
   * Answers with {@code headersLength} and {@code payloadLength} bytes that the handler writes into
   * the memory returned: headers from index 0 on, the payload behind them.
   */
  MutableDirectBuffer reply(int headersLength, int payloadLength);
}
