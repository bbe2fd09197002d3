package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request without a handler leaves no state behind for the next request. */
@Timeout(60)
class LeftoversTest {
  private static final RouteId NOBODY = RouteId.of("nobody");
  private static final RouteId TOKENS = RouteId.of("tokens");

  /** The next request arrives as a body without a token, and from another peer. */
  @Test
  void shouldNotHandTheTokenOfARequestOfAnUnknownRouteToTheNext() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.workers.count = 1\n");
        Transport other = Transport.builder(TwoNodes.small("")).start()) {
      Raw.serve(
          nodes.server,
          TOKENS,
          call ->
              CompletableFuture.completedFuture(
                  new UnaryResponse(
                      new byte[0], new byte[] {(byte) (call.token() == null ? 0 : 1)})));
      UnaryRequest unserved =
          new UnaryRequest(NOBODY, new byte[8], TransferOptions.DEFAULTS.withToken());
      assertEquals(
          CallOutcome.UNKNOWN_ROUTE,
          StreamChecks.failure(nodes, Raw.unary(nodes.peer(), unserved)).outcome());
      UnaryRequest body = UnaryRequest.of(TOKENS, new byte[300_000]);
      Peer server = other.peer(nodes.server.address());
      assertEquals(0, nodes.await(Raw.unary(server, body)).payload()[0], "it has another's token");
    }
  }
}
