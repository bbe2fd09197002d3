package io.millrace.trace;

import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.List;

/**
 * The facts of a transfer at the begin of its span.
 *
 * @param peer identity of the other side: the handshake address, host:port; empty for a whole
 *     broadcast, since each transfer of a broadcast has a span of its own
 * @param route the name of the route
 * @param pattern unary, bulk write, bulk read, streaming response, streaming request, bidirectional
 *     or broadcast
 * @param priority 0 to 7; 0 is the most urgent
 * @param requestBytes bytes of the request's payload, or {@link #UNKNOWN_BYTES}
 * @param headers the headers of the request; a served request may have malformed headers
 * @param dependencies the tokens for which the transfer waits; a quorum contributes each of its
 *     tokens
 */
public record TracedTransfer(
    String peer,
    String route,
    String pattern,
    int priority,
    long requestBytes,
    Headers headers,
    List<CausalityToken> dependencies) {
  /** The value for a payload of unknown length, until the end of the payload. */
  public static final long UNKNOWN_BYTES = -1;
}
