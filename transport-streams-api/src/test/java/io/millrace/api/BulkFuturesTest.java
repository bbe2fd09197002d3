package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.ends.ExecutorLane;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.PeerCall;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The future of a bulk call ends with the call, however a peer or a body reacts. */
@Timeout(60)
class BulkFuturesTest {
  private static final RouteId ROUTE = RouteId.of("route");

  private final ExecutorLane lane = new ExecutorLane(Runnable::run, 4, 1);
  private final List<Throwable> handled = new ArrayList<>();
  private final Transport transport = Transport.start(TwoNodes.settings(""));
  private final Peer peer = transport.peer("127.0.0.1:9");
  private final EndingFuture<BulkReceipt> future = new EndingFuture<>(peer.handle());

  @BeforeEach
  void listen() {
    Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> handled.add(thrown));
  }

  @AfterEach
  void close() {
    Thread.currentThread().setUncaughtExceptionHandler(null);
    transport.close();
  }

  /** A source with irrelevant bytes that throws in {@code close}. */
  private static final class Unclosable implements BodySource {
    @Override
    public long lengthBytes() {
      return 1;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return length;
    }

    @Override
    public void close() {
      throw new IllegalStateException("planted by close");
    }
  }

  /** A target that takes bytes or refuses bytes, and throws at each kind of end. */
  private static final class Unendable implements BodyTarget {
    private final boolean isWritable;
    private int aborted;

    Unendable(boolean isWritable) {
      this.isWritable = isWritable;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (!isWritable) {
        throw new IOException("no room");
      }
    }

    @Override
    public void complete() {
      throw new AssertionError("planted by complete");
    }

    @Override
    public void abort(Throwable cause) {
      aborted++;
      throw new AssertionError("planted by abort");
    }
  }

  private WriteCall.OfSource write() {
    return new WriteCall.OfSource(
        peer.handle(), ROUTE, new Unclosable(), TransferOptions.DEFAULTS, future, lane);
  }

  private BulkReadCall read(BodyTarget target) {
    return new BulkReadCall(
        peer.handle(),
        ROUTE,
        target,
        (from, priority, headers, bytes) -> CompletableFuture.completedFuture(target),
        TransferOptions.DEFAULTS,
        future,
        lane);
  }

  private static void answer(PeerCall call, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    call.onResponse(CallOutcome.OK, new SegmentBuffer(bytes), 0, 0, 0, bytes.length);
  }

  private static void assertFailed(CompletableFuture<BulkReceipt> future, String message) {
    assertTrue(future.isDone(), "the future has not ended");
    CallException failure = assertInstanceOf(CallException.class, future.exceptionNow());
    assertEquals(message, failure.outcome() + ": " + failure.reason());
  }

  private void assertHandled(String... messages) {
    assertEquals(List.of(messages), handled.stream().map(Throwable::getMessage).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "-1", "1e3", "9223372036854775808", " 1"})
  void shouldFailAWriteThatThePeerAnswersWithNoNumber(String text) {
    WriteCall.OfSource call = write();
    answer(call, text);
    assertFailed(future, "PEER_FAULT: the peer answered a bulk write with no number of bytes");
  }

  @Test
  void shouldTakeTheNumberThatThePeerAnswersAWriteWith() {
    WriteCall.OfSource call = write();
    answer(call, "9223372036854775807");
    assertEquals(Long.MAX_VALUE, future.resultNow().bytes());
    assertHandled();
  }

  @Test
  void shouldFailAWriteThoughItsSourceCannotBeClosed() {
    WriteCall.OfSource call = write();
    call.onFailure(CallOutcome.CLOSED, "over");
    assertFailed(future, "CLOSED: over");
    assertHandled("planted by close");
  }

  @Test
  void shouldFailAReadThoughItsTargetCannotBeAborted() {
    Unendable target = new Unendable(false);
    BulkReadCall call = read(target);
    call.onFailure(CallOutcome.CLOSED, "over");
    assertFailed(future, "CLOSED: over");
    assertEquals(1, target.aborted);
    assertHandled("planted by abort");
  }

  @Test
  void shouldFailAnInlineReadThatNeitherTakesNorGivesUpItsBytes() {
    Unendable target = new Unendable(false);
    BulkReadCall call = read(target);
    answer(call, "text");
    assertFailed(future, "TARGET_FAILED: no room");
    assertEquals(1, target.aborted);
    assertHandled("planted by abort");
  }

  @Test
  void shouldFailAnInlineReadThatCannotComplete() {
    Unendable target = new Unendable(true);
    BulkReadCall call = read(target);
    answer(call, "text");
    assertFailed(future, "TARGET_FAILED: planted by complete");
    assertEquals(0, target.aborted, "a target that was told to complete is not aborted");
    assertHandled("planted by complete");
  }
}
