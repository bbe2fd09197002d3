package io.millrace.body;

import io.millrace.transfer.Protection;

/**
 * The terms of a body, as in every notification.
 *
 * @param transferId the initiator's id
 * @param isResponse whether the body is the response of a call
 * @param route the route's id; 0 in a response
 * @param pattern 0 unary, 1 to 3 the opening of a stream, 4 bulk
 * @param priority 0 to 7, as the peer is told
 * @param level 0 to 7, the level for sending here; less urgent than priority to a degraded peer
 * @param status the status of a response
 * @param headersBytes the number of leading bytes of headers
 * @param bodyBytes bytes of headers and payload; {@link #UNKNOWN} until the end if the source does
 *     not know its length
 * @param protection the protection of the payload, in all records
 */
public record BodyTerms(
    long transferId,
    boolean isResponse,
    long route,
    int pattern,
    int priority,
    int level,
    int status,
    int headersBytes,
    long bodyBytes,
    Protection protection) {
  /** A length told only by the end of the body. */
  public static final long UNKNOWN = -1;

  /** A request or response of a unary call. */
  public static final int PATTERN_UNARY = 0;

  /** A payload for memory or files, written as the bytes come. */
  public static final int PATTERN_BULK = 4;

  /** The number of enciphered leading bytes of a record at {@code position} of the body. */
  int secretBytes(long position, int length) {
    return protection.secretBytes(headersBytes, position, length);
  }

  /** Bytes behind the headers, or {@link #UNKNOWN}. */
  public long payloadBytes() {
    return bodyBytes == UNKNOWN ? UNKNOWN : bodyBytes - headersBytes;
  }
}
