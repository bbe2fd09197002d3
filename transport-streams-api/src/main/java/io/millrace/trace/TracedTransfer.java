package io.millrace.trace;

import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import java.util.List;

/**
 * A transfer as its span begins.
 *
 * @param peer identity of the other side: its handshake address, host:port; empty for a broadcast
 *     as a whole, whose transfers have spans of their own
 * @param route its name
 * @param pattern unary, bulk write, bulk read, streaming response, streaming request, bidirectional
 *     or broadcast
 * @param priority 0 to 7; 0 is the most urgent
 * @param requestBytes of the request's payload, or {@link #UNKNOWN_BYTES}
 * @param headers of the request; one that is served may have malformed ones
 * @param dependencies what it waits for, quorums taken apart
 */
public record TracedTransfer(
    String peer,
    String route,
    String pattern,
    int priority,
    long requestBytes,
    Headers headers,
    List<CausalityToken> dependencies) {
  /** The payload has its length only when it has ended. */
  public static final long UNKNOWN_BYTES = -1;
}
