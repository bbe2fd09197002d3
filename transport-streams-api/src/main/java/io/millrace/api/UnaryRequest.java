package io.millrace.api;

import io.millrace.wire.RouteId;
import java.util.Objects;

/**
 * One request. Its bytes are read when packets are built and, after a loss, again: they must not be
 * changed before the call has ended.
 *
 * @param route which handler of the peer is meant
 * @param payload the bytes for it
 * @param options priority and headers
 */
record UnaryRequest(RouteId route, byte[] payload, TransferOptions options) {
  /** Nothing may be null. */
  public UnaryRequest {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(options, "options");
  }

  /** A request with the default options. */
  public static UnaryRequest of(RouteId route, byte[] payload) {
    return new UnaryRequest(route, payload, TransferOptions.DEFAULTS);
  }
}
