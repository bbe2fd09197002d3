package io.millrace.api;

import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers to a live peer that never answers. The deadline or the caller ends each transfer; the
 * peer's handler notices the end if possible; and no resources are left on either node.
 */
@Timeout(120)
class EndedEarlyTest {
  private static final RouteId ROUTE = RouteId.of("never");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final Duration SOON = Duration.ofMillis(40);
  private static final int LONG_BYTES = 300_000;

  /** The way in which the transfer ends. */
  enum Way {
    DEADLINE {
      @Override
      TransferOptions options() {
        return TransferOptions.DEFAULTS.withDeadline(SOON);
      }

      @Override
      void end(CompletableFuture<?> future) {}

      @Override
      void check(NodePair nodes, CompletableFuture<?> future) {
        ExecutionException failed =
            assertThrows(ExecutionException.class, () -> nodes.await(future));
        CallException failure = assertInstanceOf(CallException.class, failed.getCause());
        assertEquals(CallOutcome.EXPIRED, failure.outcome());
        assertEquals("it took longer than 40 ms", failure.reason());
      }
    },
    CALLER {
      @Override
      TransferOptions options() {
        return TransferOptions.DEFAULTS;
      }

      @Override
      void end(CompletableFuture<?> future) {
        assertTrue(future.cancel(true));
      }

      @Override
      void check(NodePair nodes, CompletableFuture<?> future) {
        assertThrows(CancellationException.class, () -> nodes.await(future));
      }
    };

    abstract TransferOptions options();

    abstract void end(CompletableFuture<?> future);

    abstract void check(NodePair nodes, CompletableFuture<?> future);
  }

  /** A transfer that waits for its peer for ever. */
  enum Pattern {
    UNARY {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        return unary(nodes, new byte[100], options, served);
      }
    },
    /** A unary call with a body as request. */
    LONG_UNARY {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        return unary(nodes, new byte[LONG_BYTES], options, served);
      }
    },
    BULK_WRITE {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        Raw.serveBulkWrites(
            nodes.server(),
            ROUTE,
            offer -> {
              served.begun.set(true);
              return CompletableFuture.completedFuture(new Full(served));
            });
        return Raw.bulkWrite(nodes.peer(), ROUTE, new Dry(served), options);
      }
    },
    BULK_READ {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        Raw.serveBulkReads(
            nodes.server(),
            ROUTE,
            offer -> {
              served.begun.set(true);
              return CompletableFuture.completedFuture(new Dry(served));
            });
        return Raw.bulkRead(nodes.peer(), ROUTE, new Full(served), options);
      }
    },
    STREAMING_RESPONSE {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        Raw.serveStreamingResponse(
            nodes.server(),
            ROUTE,
            call -> Raw.StreamingResponse.of(elements(3).concat(silence(served))));
        return Raw.streamingResponse(nodes.peer(), new UnaryRequest(ROUTE, new byte[10], options))
            .runWith(Sink.seq(), materializer(nodes.client()))
            .toCompletableFuture();
      }
    },
    STREAMING_REQUEST {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        Raw.serveStreamingRequest(
            nodes.server(),
            ROUTE,
            call -> {
              served.begun.set(true);
              var _ =
                  call.elements()
                      .runWith(Sink.ignore(), materializer(nodes.server()))
                      .whenComplete((done, failure) -> served.told.set(failure != null));
              return new CompletableFuture<>();
            });
        return elements(3)
            .concat(silence(new Served()))
            .runWith(
                Raw.streamingRequest(nodes.peer(), ROUTE, options), materializer(nodes.client()))
            .toCompletableFuture();
      }
    },
    BIDIRECTIONAL {
      @Override
      CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served) {
        Raw.serveBidirectional(
            nodes.server(),
            ROUTE,
            call -> {
              var _ = call.elements().runWith(Sink.ignore(), materializer(nodes.server()));
              return Raw.StreamingResponse.of(silence(served));
            });
        return elements(3)
            .concat(silence(new Served()))
            .via(Raw.bidirectional(nodes.peer(), ROUTE, options))
            .runWith(Sink.seq(), materializer(nodes.client()))
            .toCompletableFuture();
      }
    };

    /** Whether the serving side has learned of the end, and the memory was released. */
    boolean isTold(Served served) {
      return this == BULK_WRITE || this == BULK_READ
          ? served.closed.get() && served.aborted.get()
          : served.told.get();
    }

    /** Begins the transfer; the server never ends the transfer. */
    abstract CompletableFuture<?> begin(NodePair nodes, TransferOptions options, Served served);

    /** Whether the future belongs to the transfer and not to the application's stream. */
    boolean hasFuture() {
      return this != STREAMING_RESPONSE && this != BIDIRECTIONAL;
    }

    private static CompletableFuture<?> unary(
        NodePair nodes, byte[] payload, TransferOptions options, Served served) {
      Raw.serve(
          nodes.server(),
          ROUTE,
          call -> {
            served.begun.set(true);
            CompletableFuture<UnaryResponse> never = new CompletableFuture<>();
            var _ = never.whenComplete((none, failure) -> served.told.set(failure != null));
            return never;
          });
      return Raw.unary(nodes.peer(), new UnaryRequest(ROUTE, payload, options));
    }

    private static Source<byte[], NotUsed> silence(Served served) {
      return Source.<byte[]>maybe()
          .<NotUsed>mapMaterializedValue(_ -> NotUsed.getInstance())
          .watchTermination(
              (none, done) -> {
                served.begun.set(true);
                var _ = done.whenComplete((end, failure) -> served.told.set(true));
                return none;
              });
    }
  }

  /** The observations of the side that serves or lends memory. */
  static final class Served {
    final AtomicBoolean begun = new AtomicBoolean();
    final AtomicBoolean told = new AtomicBoolean();
    final AtomicBoolean closed = new AtomicBoolean();
    final AtomicBoolean aborted = new AtomicBoolean();
  }

  /** A source that yields a few bytes and then no more bytes, without an end. */
  private static final class Dry implements BodySource {
    private final Served served;
    private int left = LONG_BYTES;

    private Dry(Served served) {
      this.served = served;
    }

    @Override
    public long lengthBytes() {
      return UNKNOWN_LENGTH;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int count = Math.min(left, length);
      left -= count;
      return count;
    }

    @Override
    public void close() {
      served.closed.set(true);
    }
  }

  /** A target that takes one write only. */
  private static final class Full implements BodyTarget {
    private final Served served;
    private boolean isFull;

    private Full(Served served) {
      this.served = served;
    }

    @Override
    public boolean isReady() {
      return !isFull;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      isFull = true;
    }

    @Override
    public void complete() {
      throw new AssertionError("the source has no end");
    }

    @Override
    public void abort(Throwable cause) {
      served.aborted.set(true);
    }
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Pattern.values(), Way.values(), PatternWorld.all(test))
        .filter(each -> each.get()[1] == Way.DEADLINE || ((Pattern) each.get()[0]).hasFuture());
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldEndAtBothSidesAndLeaveNothing(Pattern pattern, Way way, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          Raw.serve(
              nodes.server(),
              ECHO,
              call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
          nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
          Served served = new Served();
          CompletableFuture<?> future = pattern.begin(nodes, way.options(), served);
          assertTrue(nodes.awaitUntil(() -> served.begun.get() || future.isDone()));
          // On a slow machine a deadline may pass before the begin.
          boolean hasBegun = served.begun.get();
          assertTrue(hasBegun || (way == Way.DEADLINE && world != PatternWorld.SIMULATED));
          way.end(future);

          way.check(nodes, future);

          assertTrue(
              !hasBegun || nodes.awaitUntil(() -> pattern.isTold(served)), "they learn of it");
          Remains.awaitNone(nodes, world);
          nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
        });
  }

  /**
   * All responses have arrived, and most responses wait for the caller's stage, when the deadline
   * passes.
   */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldNotTakeAFlowForWholeWhoseRestIsLetGo(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Raw.serveBidirectional(
              nodes.server(),
              ROUTE,
              call -> {
                var _ = call.elements().runWith(Sink.ignore(), materializer(nodes.server()));
                return Raw.StreamingResponse.of(elements(12));
              });
          Served requests = new Served();
          SinkQueueWithCancel<byte[]> responses =
              Pattern.silence(requests)
                  .via(Raw.bidirectional(nodes.peer(), ROUTE, Way.DEADLINE.options()))
                  .runWith(
                      Sink.<byte[]>queue().withAttributes(Attributes.inputBuffer(1, 1)),
                      materializer(nodes.client()));
          assertTrue(nodes.awaitUntil(requests.told::get), "the deadline has passed");

          CompletionStage<Optional<byte[]>> next = responses.pull();
          for (int taken = 0; isElement(nodes, next); taken++) {
            assertTrue(taken < 12, "no end");
            next = responses.pull();
          }
          Way.DEADLINE.check(nodes, next.toCompletableFuture());
          Remains.awaitNone(nodes, world);
        });
  }

  private static boolean isElement(NodePair nodes, CompletionStage<Optional<byte[]>> pulled) {
    CompletableFuture<Optional<byte[]>> next = pulled.toCompletableFuture();
    assertTrue(nodes.awaitUntil(next::isDone));
    return !next.isCompletedExceptionally() && next.resultNow().isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndACallThatWaitsForItsHandshake(Way way) throws Exception {
    PatternWorld.SIMULATED.run(
        nodes -> {
          CompletableFuture<UnaryResponse> future =
              Raw.unary(
                  nodes.client().peer("10.9.9.9:9"),
                  new UnaryRequest(ROUTE, new byte[1], way.options()));
          way.end(future);
          way.check(nodes, future);
          Remains.awaitNone(nodes, PatternWorld.SIMULATED);
        });
  }
}
