package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.DependencyKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The four kinds and a chain, over real sockets. */
class CausalityOverSocketsTest {
  private static final Route<byte[], byte[]> HELD =
      Route.of("held", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final Route<byte[], byte[]> QUICK =
      Route.of("quick", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final byte[] NOTHING = {};

  private final TwoNodes nodes = new TwoNodes("");
  private final List<CompletableFuture<byte[]>> held =
      Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> order = Collections.synchronizedList(new ArrayList<>());

  CausalityOverSocketsTest() {
    nodes.server.serve(
        HELD,
        bytes -> {
          CompletableFuture<byte[]> begun = new CompletableFuture<>();
          held.add(begun);
          return begun;
        });
    nodes.server.serveOnWorker(
        QUICK,
        call -> {
          order.add(
              call.payloadLength() < 4
                  ? -1
                  : call.buffer().getInt(call.payloadOffset(), ByteOrder.BIG_ENDIAN));
          call.reply(call.buffer(), call.payloadOffset(), call.payloadLength());
        });
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private Call<byte[]> after(Call<?> other, DependencyKind kind) {
    return nodes.peer().unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(other.token(), kind));
  }

  @ParameterizedTest
  @EnumSource(DependencyKind.class)
  void shouldHearOfAFailureBeforeAndWhileItWaits(DependencyKind kind) throws Exception {
    Call<byte[]> other = nodes.peer().unary(HELD, NOTHING, TransferOptions.DEFAULTS.withToken());
    Call<byte[]> during = after(other, kind);
    assertTrue(nodes.awaitUntil(() -> held.size() == 1));
    if (!kind.isForResponse()) {
      assertEquals(0, nodes.await(during).length);
    }
    held.getFirst().completeExceptionally(new IllegalStateException("planned"));
    assertTrue(nodes.awaitUntil(other::isDone));
    Call<byte[]> later = after(other, kind);
    for (Call<byte[]> call : kind.isForResponse() ? List.of(during, later) : List.of(later)) {
      CallOutcome outcome = CallOutcome.OK;
      try {
        nodes.await(call);
      } catch (ExecutionException e) {
        CallException failure = assertInstanceOf(CallException.class, e.getCause());
        outcome = failure.outcome();
        assertEquals(other.token(), failure.failedDependency().orElseThrow());
        assertEquals(CallOutcome.Execution.NO, failure.wasExecuted());
      }
      assertEquals(kind.isCascading() ? CallOutcome.DEPENDENCY_FAILED : CallOutcome.OK, outcome);
    }
    int executed = kind.isForResponse() ? 0 : 1;
    assertEquals(kind.isCascading() ? executed : 2, order.size());
  }

  @Test
  void shouldKeepTheOrderOfAChain() throws Exception {
    Call<byte[]> last = nodes.peer().unary(QUICK, NOTHING, TransferOptions.DEFAULTS.withToken());
    List<Integer> wanted = new ArrayList<>(List.of(-1));
    for (int i = 1; i < 2_000; i++) {
      byte[] number = ByteBuffer.allocate(4).putInt(i).array();
      // An urgent call must not overtake the call on which it depends.
      TransferOptions options = TransferOptions.DEFAULTS.withPriority(7 - i % 8);
      last = nodes.peer().unary(QUICK, number, options.after(last.token()));
      wanted.add(i);
    }
    nodes.await(last);
    assertEquals(wanted, order);
    assertTrue(nodes.awaitUntil(() -> nodes.client.snapshot().causalitySlots() == 0));
    assertTrue(nodes.awaitUntil(() -> nodes.server.snapshot().causalitySlots() == 0));
  }
}
