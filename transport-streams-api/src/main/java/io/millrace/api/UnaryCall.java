package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.transfer.CausalityToken;
import org.jspecify.annotations.Nullable;

/**
 * A unary call for a handler to answer; the handler owns the arrays.
 *
 * @param caller the calling peer
 * @param priority the priority that the caller chose, 0 to 7
 * @param headers the caller's headers
 * @param payload the request
 * @param token the token of the call at this node, or null
 */
record UnaryCall(
    Caller caller, int priority, byte[] headers, byte[] payload, @Nullable CausalityToken token) {
  UnaryCall(Caller caller, int priority, byte[] headers, byte[] payload) {
    this(caller, priority, headers, payload, null);
  }

  /** Returns the identity of the caller: the caller's handshake address. */
  String peer() {
    return caller.peer();
  }
}
