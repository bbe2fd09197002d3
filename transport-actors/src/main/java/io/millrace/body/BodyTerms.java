package io.millrace.body;

import io.millrace.transfer.Protection;

/**
 * What every notification of a body says.
 *
 * @param transferId the initiator's id
 * @param isResponse whether the body is the response of its call
 * @param route the route's id; 0 in a response
 * @param pattern 0 unary, 1 to 3 the opening of a stream, 4 bulk
 * @param priority 0 to 7, as the peer is told
 * @param level 0 to 7, at which it is sent here; less urgent than priority to a degraded peer
 * @param status of a response
 * @param headersBytes leading bytes that are headers
 * @param bodyBytes headers and payload; {@link #UNKNOWN} until the end if the source does not know
 * @param protection of the payload, in all records
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
  /** A length that only the end of the body tells. */
  public static final long UNKNOWN = -1;

  /** One request or response of a unary call. */
  public static final int PATTERN_UNARY = 0;

  /** A payload that goes to memory or files as it comes. */
  public static final int PATTERN_BULK = 4;

  /** How many leading bytes of a record at {@code position} of the body are enciphered. */
  int secretBytes(long position, int length) {
    return protection.secretBytes(headersBytes, position, length);
  }

  /** Bytes behind the headers, or {@link #UNKNOWN}. */
  public long payloadBytes() {
    return bodyBytes == UNKNOWN ? UNKNOWN : bodyBytes - headersBytes;
  }
}
