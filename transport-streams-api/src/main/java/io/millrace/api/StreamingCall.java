package io.millrace.api;

import io.millrace.access.admission.Caller;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/**
 * A stream that a peer opened; the handler owns the headers.
 *
 * @param caller the peer that calls
 * @param priority 0 to 7, as the caller chose
 * @param headers the caller's headers
 * @param elements the requests, to be materialized once at most; without demand the caller is held
 *     back, and it is told if they are not wanted any more; they complete only if none is missing
 */
record StreamingCall(
    Caller caller, int priority, byte[] headers, Source<byte[], NotUsed> elements) {
  /** Identity of the caller: its handshake address. */
  String peer() {
    return caller.peer();
  }
}
