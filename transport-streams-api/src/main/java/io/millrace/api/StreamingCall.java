package io.millrace.api;

import io.millrace.access.admission.Caller;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/**
 * A stream that a peer opened; the handler owns the headers.
 *
 * @param caller the calling peer
 * @param priority the priority that the caller chose, 0 to 7
 * @param headers the caller's headers
 * @param elements the requests, to materialize once at most. Without demand the source holds the
 *     caller back. If the source is cancelled, the caller sends no more requests. The source
 *     completes only if no request is missing
 */
record StreamingCall(
    Caller caller, int priority, byte[] headers, Source<byte[], NotUsed> elements) {
  /** Returns the identity of the caller: the caller's handshake address. */
  String peer() {
    return caller.peer();
  }
}
