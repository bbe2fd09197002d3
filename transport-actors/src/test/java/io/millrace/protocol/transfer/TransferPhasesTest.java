package io.millrace.protocol.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.FrameEncodingTest.TestCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls at both of their ends: every phase with every event, in the table and in the real call. */
class TransferPhasesTest {
  private static final Pattern SPACES = Pattern.compile(" +");
  private static final byte[] NO_BYTES = {};

  private static final String CALLS =
      """
      phase        KNOW   OPEN  ACKNOWLEDGE   GIVE_UP   END
      NEW          KNOWN  OPEN  -             -         REFUSED
      KNOWN        KNOWN  OPEN  -             -         ENDED
      OPEN         -      -     ACKNOWLEDGED  GIVEN_UP  ENDED
      ACKNOWLEDGED -      -     ACKNOWLEDGED  GIVEN_UP  ENDED
      GIVEN_UP     -      -     GIVEN_UP      -         SETTLED
      REFUSED      -      -     -             -         -
      ENDED        -      -     -             -         -
      SETTLED      -      -     -             -         -
      """;

  private static final String SERVED =
      """
      phase     START      ANSWER    WITHDRAW   RELEASE    RECYCLE
      FREE      EXECUTING  -         -          -          -
      EXECUTING -          ANSWERED  -          ABANDONED  -
      ANSWERED  -          -         EXECUTING  DELIVERED  -
      ABANDONED -          -         -          -          FREE
      DELIVERED -          -         -          -          FREE
      """;

  @Test
  void shouldMoveCallsAsTheTableSays() {
    assertEquals(CallPhase.values().length, CALLS.lines().count() - 1);
    for (CallPhase phase : CallPhase.values()) {
      for (CallPhase.Event event : CallPhase.Event.values()) {
        String expected = cell(CALLS, phase, event);
        assertEquals(expected, shown(phase.after(event)), phase + " " + event);
        walk(phase, event, expected);
      }
    }
  }

  private static void walk(CallPhase phase, CallPhase.Event event, String expected) {
    OutboundCalls calls = new OutboundCalls(1, 4);
    TestCall call = callIn(phase, calls);
    assertEquals(phase, call.phase());
    int open = calls.openCount();
    if (expected.equals("-")) {
      assertThrows(
          IllegalStateException.class, () -> apply(event, call, calls), phase + " " + event);
      assertEquals(phase, call.phase());
      assertEquals(open, calls.openCount());
    } else {
      apply(event, call, calls);
      assertEquals(expected, call.phase().name(), phase + " " + event);
    }
    boolean isWanted = call.phase().ordinal() <= CallPhase.OPEN.ordinal();
    assertEquals(!isWanted, call.isObsolete());
  }

  private static TestCall callIn(CallPhase phase, OutboundCalls calls) {
    TestCall call = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    if (phase == CallPhase.KNOWN) {
      call.know();
      return call;
    }
    if (phase == CallPhase.REFUSED) {
      call.refuse(CallOutcome.CLOSED, "closed");
      return call;
    }
    if (phase != CallPhase.NEW) {
      assertTrue(calls.open(call));
    }
    if (phase == CallPhase.ACKNOWLEDGED) {
      call.onAcknowledged();
    }
    if (phase == CallPhase.GIVEN_UP || phase == CallPhase.SETTLED) {
      calls.giveUp(call);
    }
    if (phase == CallPhase.ENDED || phase == CallPhase.SETTLED) {
      assertNotNull(calls.end(call.transferId()));
    }
    return call;
  }

  private static void apply(CallPhase.Event event, TestCall call, OutboundCalls calls) {
    switch (event) {
      case KNOW -> call.know();
      case OPEN -> calls.open(call);
      case ACKNOWLEDGE -> call.onAcknowledged();
      case GIVE_UP -> calls.giveUp(call);
      case END -> call.end();
    }
  }

  @Test
  void shouldTellOneOutcomeOfACallThatNoPathTook() {
    OutboundCalls calls = new OutboundCalls(1, 4);
    TestCall call = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    call.refuse(CallOutcome.CLOSED, "closed");
    assertThrows(
        IllegalStateException.class, () -> call.refuse(CallOutcome.CLOSED, "closed again"));
    assertThrows(IllegalStateException.class, () -> calls.open(call));
    assertEquals(1, call.endings);
    assertEquals(0, calls.openCount());
  }

  @Test
  void shouldEndACallOnceAndForgetItsSlot() {
    OutboundCalls calls = new OutboundCalls(1, 1);
    TestCall first = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    TestCall second = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    assertTrue(calls.open(first));
    assertFalse(calls.open(second));
    assertEquals(CallPhase.NEW, second.phase());
    calls.failAll(CallOutcome.PEER_RESET, "gone");
    assertEquals(CallPhase.ENDED, first.phase());
    assertTrue(calls.open(second));
    assertEquals(CallPhase.OPEN, second.phase());
  }

  @Test
  void shouldKeepTheSlotOfACallThatWasGivenUpUntilItIsAnsweredAndTellNothingMore() {
    OutboundCalls calls = new OutboundCalls(1, 1);
    TestCall first = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    TestCall second = new TestCall(1, 3, NO_BYTES, NO_BYTES);
    assertTrue(calls.open(first));
    calls.giveUp(first);
    assertFalse(calls.open(second));
    assertNotNull(calls.end(first.transferId()));
    assertTrue(first.isGivenUp());
    assertTrue(calls.open(second));
    calls.giveUp(second);
    calls.failAll(CallOutcome.PEER_RESET, "gone");
    assertEquals(0, calls.openCount());
    assertEquals(0, first.endings + second.endings);
  }

  @Test
  void shouldMoveServedCallsAsTheTableSays() {
    assertEquals(ServedPhase.values().length, SERVED.lines().count() - 1);
    for (ServedPhase phase : ServedPhase.values()) {
      for (ServedPhase.Event event : ServedPhase.Event.values()) {
        String expected = cell(SERVED, phase, event);
        assertEquals(expected, shown(phase.after(event)), phase + " " + event);
        walk(phase, event, expected);
      }
    }
  }

  private static void walk(ServedPhase phase, ServedPhase.Event event, String expected) {
    AnswerMemory memory = new AnswerMemory(1 << 20);
    ServedCall call = servedIn(phase, memory);
    assertEquals(phase, call.phase());
    if (expected.equals("-")) {
      assertThrows(
          IllegalStateException.class, () -> apply(event, call, memory), phase + " " + event);
      assertEquals(phase, call.phase());
    } else {
      apply(event, call, memory);
      assertEquals(expected, call.phase().name(), phase + " " + event);
    }
    ServedPhase now = call.phase();
    assertEquals(
        now == ServedPhase.ANSWERED || now == ServedPhase.DELIVERED, call.isAnswered(), now.name());
    assertEquals(
        now != ServedPhase.EXECUTING && now != ServedPhase.ANSWERED, call.isObsolete(), now.name());
  }

  private static ServedCall servedIn(ServedPhase phase, AnswerMemory memory) {
    ServedCall call = memory.acquire();
    if (phase != ServedPhase.FREE) {
      call.start(TransferId.of(1, 1, 0), 3, TestOwner.NONE);
    }
    if (phase == ServedPhase.ANSWERED || phase == ServedPhase.DELIVERED) {
      call.answer(CallStatus.OK.value(), 0, 0);
    }
    if (phase == ServedPhase.ABANDONED || phase == ServedPhase.DELIVERED) {
      call.release();
    }
    return call;
  }

  private static void apply(ServedPhase.Event event, ServedCall call, AnswerMemory memory) {
    switch (event) {
      case START -> call.start(TransferId.of(1, 2, 0), 3, TestOwner.NONE);
      case ANSWER -> call.answer(CallStatus.OK.value(), 0, 0);
      case WITHDRAW -> call.withdrawAnswer();
      case RELEASE -> call.release();
      case RECYCLE -> memory.recycle(call);
    }
  }

  @Test
  void shouldNotLendAServedCallToAnotherWhileItIsStillExecuted() {
    ServedCalls served = new ServedCalls(16, new AnswerMemory(1 << 20), TestOwner.NONE);
    ServedCall executed = begun(served, 1);
    ServedCall next = begun(served, 2);
    assertEquals(ServedPhase.ABANDONED, executed.phase());
    assertFalse(served.onResponseAcknowledged(0, 1));
    next.answer(CallStatus.OK.value(), 0, 0);
    assertTrue(served.onResponseAcknowledged(0, 2));
    assertEquals(ServedPhase.FREE, next.phase());
    served.onDropped(executed);
    assertThrows(IllegalStateException.class, () -> served.onDropped(executed));
    assertThrows(IllegalStateException.class, () -> served.onDropped(next));
    ServedCall third = begun(served, 3);
    served.onStreamOver(0, 3);
    assertEquals(ServedPhase.FREE, third.phase());
  }

  private static ServedCall begun(ServedCalls served, int generation) {
    assertEquals(ServedCalls.Arrival.NEW, served.onRequest(TransferId.of(1, generation, 0), 3));
    ServedCall call = served.find(0, generation);
    assertNotNull(call);
    return call;
  }

  private static String shown(@Nullable Enum<?> phase) {
    return phase == null ? "-" : phase.name();
  }

  private static String cell(String table, Enum<?> row, Enum<?> column) {
    String[] lines = table.lines().toArray(String[]::new);
    String[] cells = SPACES.split(lines[1 + row.ordinal()], -1);
    assertEquals(row.name(), cells[0]);
    assertEquals(column.name(), SPACES.split(lines[0], -1)[1 + column.ordinal()]);
    return cells[1 + column.ordinal()];
  }
}
