package io.millrace.api;

import io.millrace.wire.RouteId;
import java.util.Objects;

/**
 * A unary request. The worker reads the bytes for the first packets and, after a loss, again. The
 * caller must not change the array before the call has ended.
 *
 * @param route the route of the peer's handler
 * @param payload the bytes for the handler
 * @param options priority and headers
 */
record UnaryRequest(RouteId route, byte[] payload, TransferOptions options) {
  /** Checks that no argument is null. */
  public UnaryRequest {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(options, "options");
  }

  /** Returns a request with the default options. */
  public static UnaryRequest of(RouteId route, byte[] payload) {
    return new UnaryRequest(route, payload, TransferOptions.DEFAULTS);
  }
}
