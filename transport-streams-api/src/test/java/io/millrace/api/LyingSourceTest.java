package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkStreams;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sources with a wrong announced length: the transfer fails at both sides, and no side takes the
 * arrived bytes for the whole.
 */
@Timeout(120)
class LyingSourceTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final Impairment NONE = new Impairment(1, 0, 0, 0, 8, 0, 0);

  /** The pattern that moves the bytes. */
  enum Pattern {
    WRITE,
    READ,
    STREAM,
    BROADCAST
  }

  /** The announced and the real number of bytes. */
  enum Lie {
    NOTHING_AND_ONE(0, 1),
    ONE_MORE(100, 101),
    A_RECORD_MORE(65_536, 131_072),
    LONG(190_000, 190_001),
    ONE_LESS(100, 99),
    LONG_LESS(190_000, 189_999);

    final int told;
    final int given;

    Lie(int told, int given) {
      this.told = told;
      this.given = given;
    }
  }

  /** A source with fewer or more bytes than announced. */
  private static final class Lying implements BodySource {
    private final Lie lie;
    private int left;

    Lying(Lie lie) {
      this.lie = lie;
      left = lie.given;
    }

    @Override
    public long lengthBytes() {
      return lie.told;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int count = Math.min(left, length);
      left -= count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void close() {}
  }

  /** A target that records the end of the body. */
  private static final class End implements BodyTarget {
    final CompletableFuture<Boolean> isWhole = new CompletableFuture<>();

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void complete() {
      isWhole.complete(true);
    }

    @Override
    public void abort(Throwable cause) {
      isWhole.complete(false);
    }
  }

  private static Stream<Arguments> everything() {
    return Combinations.dealt(World.values(), Pattern.values(), Lie.values());
  }

  @ParameterizedTest
  @MethodSource("everything")
  void shouldFailAtBothSides(World world, Pattern pattern, Lie lie) throws Exception {
    world.run(
        NONE,
        (nodes, driver) -> {
          End end = new End();
          Raw.serveBulkWrites(
              nodes.server(), STORE, offer -> CompletableFuture.completedFuture(end));
          Raw.serveBulkReads(
              nodes.server(), FETCH, offer -> CompletableFuture.completedFuture(new Lying(lie)));
          CompletableFuture<?> future = begin(nodes, pattern, lie, end);
          var thrown = assertThrows(ExecutionException.class, () -> nodes.await(future));
          CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
          assertEquals(CallOutcome.SOURCE_FAILED, failure.outcome());
          assertTrue(String.valueOf(failure.getMessage()).contains(" bytes"), failure.toString());
          // If no bytes were sent, the node asked no receiver for a target.
          nodes.awaitUntil(() -> nodes.server().snapshot().buffers().usedBytes() == 0);
          assertTrue(!end.isWhole.getNow(false), "a part was taken for the whole");
        });
  }

  private static CompletableFuture<?> begin(NodePair nodes, Pattern pattern, Lie lie, End end) {
    return switch (pattern) {
      case WRITE -> Raw.bulkWrite(nodes.peer(), STORE, new Lying(lie), TransferOptions.DEFAULTS);
      case READ -> Raw.bulkRead(nodes.peer(), FETCH, end, TransferOptions.DEFAULTS);
      case STREAM -> {
        BodySource source =
            Source.single(ByteString.fromArray(new byte[lie.given]))
                .runWith(
                    BulkStreams.sink(lie.told, 1 << 20), StreamChecks.materializer(nodes.client()));
        yield Raw.bulkWrite(nodes.peer(), STORE, source, TransferOptions.DEFAULTS);
      }
      case BROADCAST ->
          Raw.broadcast(
                  nodes.client(),
                  STORE,
                  new Lying(lie),
                  new byte[0],
                  List.of(Destination.of(nodes.peer())))
              .deliveries()
              .getFirst()
              .receipt();
    };
  }
}
