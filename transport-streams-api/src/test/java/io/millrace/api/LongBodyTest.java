package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A body of more bytes than an int counts, with every byte compared. */
@Timeout(180)
class LongBodyTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final long BYTES = (1L << 31) + (1 << 20) + 7;

  @Test
  void shouldMoveMoreBytesThanAnIntCounts() throws Exception {
    Queue<String> violations = new ConcurrentLinkedQueue<>();
    try (TwoNodes nodes = new TwoNodes("millrace.nic.driver = auto")) {
      KnownTarget target =
          new KnownTarget(1, BYTES, (rule, what) -> violations.add(rule + ": " + what), () -> {});
      Raw.serveBulkWrites(nodes.server, STORE, offer -> CompletableFuture.completedFuture(target));
      KnownSource source = KnownSource.free(1, BYTES, true);
      nodes.await(
          Raw.bulkWrite(
              nodes.client.peer(nodes.server.address()), STORE, source, TransferOptions.DEFAULTS));
      assertEquals(KnownTarget.End.COMPLETE, nodes.await(target.end()));
      assertEquals(List.of(), List.copyOf(violations));
      assertEquals(BYTES, target.position());
      assertEquals(1, source.closed());
    }
  }
}
