package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import org.junit.jupiter.api.Test;

/** Callers that do not take their answers cannot make a node keep more than the node's budget. */
class AnswerMemoryTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int ANSWER_BYTES = 8_000;
  private static final int BUDGET_BYTES = 1 << 20;
  private static final int CALLS = 500;

  private final SegmentBuffer answer = new SegmentBuffer(new byte[ANSWER_BYTES]);
  private final WorkerLab lab =
      new WorkerLab(
          new FakeEndpoint(16, 64),
          "millrace.limits.answer-budget = " + BUDGET_BYTES,
          AeadProviders.discover().select(0));
  private int executed;

  private PeerPath open(int peer) throws Exception {
    return lab.open(lab.link(peer), peer, true);
  }

  private void call(FarSide far, int from, int to) {
    for (int i = from; i < to; i++) {
      lab.endpoint.arrivals.add(
          far.packet(FarSide.request(TransferIds.of(i), ROUTE.id(), new byte[8])));
    }
    while (!lab.endpoint.arrivals.isEmpty()) {
      lab.turn();
    }
  }

  @Test
  void shouldExecuteNoMoreCallsOfAPeerThatTakesNoAnswers() throws Exception {
    lab.routes.add(
        ROUTE,
        call -> {
          executed++;
          call.reply(answer, 0, ANSWER_BYTES);
        });
    PeerPath path = open(1);
    FarSide far = new FarSide(1, false);
    call(far, 0, CALLS);
    // The path's own share stays within the rest of the budget: half of the budget, and the last
    // answer.
    int expected = BUDGET_BYTES / 2 / (ANSWER_BYTES + 64) + 1;
    assertEquals(expected, executed);
    assertEquals(CALLS, path.calls().served().openCount());

    PeerPath other = open(2);
    call(new FarSide(2, false), 0, 10);
    assertEquals(expected + 10, executed);

    for (int round = 0; round < 200 && !path.calls().isIdle(); round++) {
      long last = path.recovery().nextPacketNumber() - 1;
      lab.endpoint.arrivals.add(far.packet(FarSide.ackUpTo(last)));
      lab.turns(2, 1_000);
    }
    assertEquals(0, path.calls().served().openCount());
    call(far, CALLS, CALLS + 10);
    assertEquals(expected + 20, executed);

    path.close(CloseReason.SHUTDOWN, CallOutcome.CLOSED, "closed");
    other.close(CloseReason.SHUTDOWN, CallOutcome.CLOSED, "closed");
    assertEquals(0, lab.services.calls().answers().keptBytes());
    assertEquals(0, lab.faults.size());
  }

  /**
   * Answers that do not fit in a frame wait as arrays for memory that the caller does not grant.
   */
  @Test
  void shouldCountAnswersThatGoAsBodies() throws Exception {
    lab.routes.add(
        ROUTE,
        call -> {
          executed++;
          call.defer().answers().answer(new byte[0], new byte[ANSWER_BYTES * 10]);
        });
    PeerPath path = open(1);
    FarSide far = new FarSide(1, false);
    for (int i = 0; i < CALLS; i += 2) {
      call(far, i, i + 2);
      lab.turn();
    }
    assertTrue(executed <= BUDGET_BYTES / (ANSWER_BYTES * 10) + 2, executed + " were executed");
    assertTrue(executed >= 5, executed + " were executed");
    assertTrue(lab.services.calls().answers().keptBytes() <= BUDGET_BYTES + CALLS * 200L);
    path.close(CloseReason.SHUTDOWN, CallOutcome.CLOSED, "closed");
    assertEquals(0, lab.services.calls().answers().keptBytes());
    assertEquals(0, lab.faults.size());
  }
}
