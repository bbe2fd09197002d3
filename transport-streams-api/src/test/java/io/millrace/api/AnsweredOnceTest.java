package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.body.ForwardingSource;
import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * However often an application's code ends a call, the caller gets one answer, and no other caller
 * gets an answer.
 */
@Timeout(60)
class AnsweredOnceTest {
  private static final RouteId ROUTE = RouteId.of("once");
  private static final int ROUNDS = 6;
  private static final int CALLS = 16;

  /** A stage that calls back any given number of times, against its contract. */
  @SuppressWarnings("NullAway") // a successful stage calls back with a null failure
  private static final class Repeating<T> extends CompletableFuture<T> {
    private final T value;
    private final List<Runnable> late = new ArrayList<>();

    Repeating(T value) {
      this.value = value;
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
      action.accept(value, null);
      action.accept(value, null);
      late.add(() -> action.accept(value, null));
      return this;
    }

    void again() {
      late.forEach(Runnable::run);
    }
  }

  private static UnaryResponse echo(ExecutorHandler.UnaryCall call) {
    return new UnaryResponse(new byte[0], call.payload());
  }

  private static CompletableFuture<UnaryResponse> echoLater(ExecutorHandler.UnaryCall call) {
    return new CompletableFuture<UnaryResponse>()
        .completeOnTimeout(echo(call), 20, TimeUnit.MILLISECONDS);
  }

  private static UnaryRequest request(String text, boolean isBad) {
    TransferOptions options =
        isBad ? TransferOptions.DEFAULTS.withHeader("boom", "1") : TransferOptions.DEFAULTS;
    return new UnaryRequest(ROUTE, text.getBytes(UTF_8), options);
  }

  /** Checks calls of two clients at once; every third call has the header. */
  private static void assertEachGetsItsOwn(TwoNodes nodes, Transport other, CallOutcome ofBad)
      throws Exception {
    Peer[] peers = {nodes.peer(), other.peer(nodes.server.address())};
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, CompletableFuture<UnaryResponse>> calls = new HashMap<>();
      for (int i = 0; i < CALLS; i++) {
        String name = "client" + i % 2 + "-" + round + "-" + i;
        calls.put(name, Raw.unary(peers[i % 2], request(name, i % 3 == 0)).toCompletableFuture());
      }
      for (Map.Entry<String, CompletableFuture<UnaryResponse>> call : calls.entrySet()) {
        int number = Integer.parseInt(call.getKey().substring(call.getKey().lastIndexOf('-') + 1));
        if (number % 3 == 0 && ofBad != CallOutcome.OK) {
          assertEquals(ofBad, StreamChecks.failure(nodes, call.getValue()).outcome());
        } else {
          byte[] answer = nodes.await(call.getValue()).payload();
          assertEquals(call.getKey(), new String(answer, UTF_8));
        }
      }
    }
  }

  private static Transport otherClient() {
    return Transport.builder(TwoNodes.small("")).start();
  }

  @Test
  void shouldAnswerEachCallerOnceThoughAnAcceptorThrowsAnError() throws Exception {
    AtomicInteger executed = new AtomicInteger();
    try (TwoNodes nodes = new TwoNodes("");
        Transport other = otherClient()) {
      Raw.serve(
          nodes.server,
          ROUTE,
          offer -> {
            if (offer.headers().text("boom").isPresent()) {
              throw new StackOverflowError("planted");
            }
          },
          call -> {
            executed.incrementAndGet();
            return echoLater(call);
          });
      assertEachGetsItsOwn(nodes, other, CallOutcome.REFUSED);
      int bad = ROUNDS * ((CALLS + 2) / 3);
      assertEquals(ROUNDS * CALLS - bad, executed.get());
    }
  }

  @Test
  void shouldAnswerEachCallerOnceThoughAStageCallsBackAgain() throws Exception {
    List<Repeating<UnaryResponse>> stages = new ArrayList<>();
    try (TwoNodes nodes = new TwoNodes("");
        Transport other = otherClient()) {
      Raw.serve(
          nodes.server,
          ROUTE,
          call -> {
            if (call.headers().length == 0) {
              return echoLater(call);
            }
            Repeating<UnaryResponse> stage = new Repeating<>(echo(call));
            synchronized (stages) {
              stages.forEach(Repeating::again);
              stages.add(stage);
            }
            return stage;
          });
      assertEachGetsItsOwn(nodes, other, CallOutcome.OK);
      assertTrue(nodes.server.snapshot().handlerFaults() > 0);
    }
  }

  /**
   * The node ends an unused source and an unused target; the source and the target in use go on.
   */
  @Test
  void shouldMoveABodyOnceThoughAStageNamesSourcesAndTargetsAgain() throws Exception {
    byte[] bytes = new byte[200_000];
    AtomicInteger closed = new AtomicInteger();
    AtomicInteger aborted = new AtomicInteger();
    BodySource surplus =
        new ForwardingSource(new ArraySource(bytes, 0, bytes.length)) {
          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };
    BodyTarget another =
        new ForwardingTarget(new BodyTest.Collector()) {
          @Override
          public void abort(Throwable cause) {
            aborted.incrementAndGet();
          }
        };
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkReads(
          nodes.server,
          ROUTE,
          offer -> new Naming<>(new ArraySource(bytes, 0, bytes.length), surplus));
      RouteId writes = RouteId.of("writes");
      Raw.serveBulkWrites(
          nodes.server, writes, offer -> new Naming<>(new BodyTest.Collector(), another));
      TransferOptions options = TransferOptions.DEFAULTS;
      BodyTarget read = new BodyTest.Collector();
      assertEquals(
          bytes.length, nodes.await(Raw.bulkRead(nodes.peer(), ROUTE, read, options)).bytes());
      BodySource written = new ArraySource(bytes, 0, bytes.length);
      assertEquals(
          bytes.length, nodes.await(Raw.bulkWrite(nodes.peer(), writes, written, options)).bytes());
      assertEquals(1, closed.get());
      assertEquals(1, aborted.get());
      assertEquals(2, nodes.server.snapshot().handlerFaults());
    }
  }

  /** A stage that completes with one value and then with another value. */
  @SuppressWarnings("NullAway") // a successful stage calls back with a null failure
  private static final class Naming<T> extends CompletableFuture<T> {
    private final T first;
    private final T second;

    Naming(T first, T second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
      action.accept(first, null);
      action.accept(second, null);
      return this;
    }
  }
}
