package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A bulk read with one message as the peer's answer: the calls on the target are the same as
 * always.
 */
@Timeout(60)
class InlineReadTest {
  private static final RouteId ROUTE = RouteId.of("inline");

  private final TwoNodes nodes = new TwoNodes("");
  private final Gated target = new Gated();

  @AfterEach
  void close() {
    nodes.close();
  }

  /** A target that takes one write for each permit. */
  private static final class Gated implements BodyTarget {
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private volatile boolean isOpen;
    private volatile boolean isCancelled;
    private volatile Runnable resume = () -> {};

    void open() {
      isOpen = true;
      resume.run();
    }

    void cancel() {
      isCancelled = true;
      resume.run();
    }

    @Override
    public void start(Runnable toResume) {
      resume = toResume;
      told.add("start");
    }

    @Override
    public boolean isReady() {
      if (!isOpen) {
        told.add("full");
      }
      return isOpen;
    }

    @Override
    public boolean isCancelled() {
      return isCancelled;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      told.add("write " + new String(bytes, offset, length, UTF_8));
      isOpen = false;
    }

    @Override
    public void complete() {
      told.add("complete");
    }

    @Override
    public void abort(Throwable cause) {
      told.add("abort");
    }
  }

  private CompletableFuture<BulkReceipt> read(String text) {
    Raw.serve(
        nodes.server,
        ROUTE,
        call ->
            CompletableFuture.completedFuture(
                new UnaryResponse(new byte[] {7}, text.getBytes(UTF_8))));
    return Raw.bulkRead(nodes.peer(), ROUTE, target, TransferOptions.DEFAULTS);
  }

  private void awaitTold(String... told) {
    List<String> wanted = List.of(told);
    assertTrue(
        nodes.awaitUntil(() -> List.copyOf(target.told).equals(wanted)), () -> target.told + "");
  }

  @Test
  void shouldWaitForATargetThatIsFullBeforeTheBytesAndBeforeTheEnd() throws Exception {
    CompletableFuture<BulkReceipt> read = read("text");
    awaitTold("start", "full");
    assertFalse(read.isDone());
    target.open();
    awaitTold("start", "full", "write text", "full");
    assertFalse(read.isDone());
    target.open();
    BulkReceipt receipt = nodes.await(read);
    assertEquals(4, receipt.bytes());
    assertEquals(7, receipt.headers().encode()[0]);
    awaitTold("start", "full", "write text", "full", "complete");
  }

  @Test
  void shouldWriteNothingOfNothing() throws Exception {
    CompletableFuture<BulkReceipt> read = read("");
    awaitTold("start", "full");
    target.open();
    assertEquals(0, nodes.await(read).bytes());
    awaitTold("start", "full", "complete");
  }

  @Test
  void shouldFailWhenTheTargetWantsNoMore() {
    CompletableFuture<BulkReceipt> read = read("text");
    awaitTold("start", "full");
    target.cancel();
    ExecutionException thrown = assertThrows(ExecutionException.class, read::get);
    CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
    assertEquals(CallOutcome.TARGET_FAILED, failure.outcome());
    assertEquals("the target wants no more", failure.reason());
    // The node may ask the target again, or find the read cancelled right after the target reported
    // full.
    assertTrue(nodes.awaitUntil(() -> target.told.contains("abort")));
    assertEquals(List.of("start", "full", "abort"), target.told.stream().distinct().toList());
  }

  @Test
  void shouldAbortWhenTheReaderGivesUp() {
    CompletableFuture<BulkReceipt> read = read("text");
    awaitTold("start", "full");
    assertTrue(read.cancel(false));
    awaitTold("start", "full", "abort");
  }
}
