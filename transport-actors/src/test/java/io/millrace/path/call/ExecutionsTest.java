package io.millrace.path.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.peer.WriteFrames;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.ResetReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The cost of a request before a handler has the request, and the limit of a path's handlers on
 * their calls.
 */
class ExecutionsTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int BYTES = 100;
  private static final int COST = 164;
  private static final int SLOTS = 4;

  private final WorkerLab lab =
      new WorkerLab(
          new FakeEndpoint(16, 64),
          "millrace.limits.concurrent-transfers = " + SLOTS,
          AeadProviders.discover().select(0));
  private final PeerLink link = lab.link(1);
  private final FarSide far = new FarSide(1, false);
  private final List<DeferredCall> taken = new ArrayList<>();
  private PeerPath path;

  @BeforeEach
  void open() throws Exception {
    path = lab.open(link, 1, true);
    lab.routes.add(ROUTE, call -> taken.add(call.defer()));
  }

  private static long id(int slot, int generation) {
    return TransferId.of(0, generation, slot);
  }

  private void request(int generation) {
    for (int slot = 0; slot < SLOTS; slot++) {
      byte[] payload = new byte[BYTES];
      payload[0] = (byte) generation;
      payload[1] = (byte) slot;
      lab.endpoint.arrivals.add(
          far.packet(FarSide.request(id(slot, generation), ROUTE.id(), payload)));
    }
    lab.turn();
  }

  private void giveUp(int slot, int generation) {
    lab.endpoint.arrivals.add(
        far.packet(
            WriteFrames.reset(
                id(slot, generation), WriteFlags.FROM_SENDER, ResetReason.CANCELLED.value())));
    lab.turn();
  }

  private void answer(int which) {
    taken.get(which).answers().answer(new byte[0], new byte[8]);
    lab.turn();
  }

  private void assertExecuted(int running, int waiting, int begun) {
    assertEquals(running, path.calls().serving().executions().running());
    assertEquals(waiting, path.calls().serving().executions().waiting());
    assertEquals(begun, taken.size());
    assertEquals((long) waiting * COST, path.packets().credit().outstandingBytes());
    assertEquals(List.of(), lab.faults);
  }

  @Test
  void shouldLeaveNothingBehindOfARequestThatCannotBeTakenOver() {
    RouteId broken = RouteId.of("broken");
    lab.routes.add(
        broken,
        call -> {
          // Beyond the arrived bytes: copying throws, as in a shortage of memory.
          call.headers(1 << 30, 1);
          taken.add(call.defer());
        });
    lab.endpoint.arrivals.add(far.packet(FarSide.request(id(0, 1), broken.id(), new byte[BYTES])));
    lab.turn();
    assertExecuted(0, 0, 0);
    ServedCall call = path.calls().served().find(0, 1);
    assertTrue(call != null && call.isAnswered(), "its caller waits for ever");
    long all = lab.services.context().settings().limits().waiting().requestBudgetBytes();
    long request = path.calls().serving().requests().reserve(0);
    path.calls().serving().requests().giveBack(request);
    assertTrue(
        path.calls().serving().requests().reserve(all - request) > 0, "memory was not given back");
  }

  @Test
  void shouldConsumeARequestOnceItsHandlerHasIt() {
    request(1);
    assertExecuted(SLOTS, 0, SLOTS);
    answer(0);
    assertExecuted(SLOTS - 1, 0, SLOTS);
  }

  @Test
  void shouldExecuteNoMoreThanThePathMayHaveThoughTheirCallersGaveThemUp() {
    request(1);
    for (int slot = 0; slot < SLOTS; slot++) {
      giveUp(slot, 1);
    }
    request(2);
    assertExecuted(SLOTS, SLOTS, SLOTS);
    answer(2);
    assertExecuted(SLOTS, SLOTS - 1, SLOTS + 1);
    assertEquals(2, taken.get(SLOTS).payload()[0]);
    assertEquals(0, taken.get(SLOTS).payload()[1]);
    answer(0);
    assertExecuted(SLOTS, SLOTS - 2, SLOTS + 2);
    assertEquals(1, taken.get(SLOTS + 1).payload()[1]);
    for (int i = SLOTS; i < SLOTS + 2; i++) {
      answer(i);
    }
    assertExecuted(SLOTS, 0, 2 * SLOTS);
    assertEquals(BYTES, taken.get(2 * SLOTS - 1).payload().length);
  }

  @Test
  void shouldNeverExecuteWhatWasGivenUpWhileItWaited() {
    request(1);
    for (int slot = 0; slot < SLOTS; slot++) {
      giveUp(slot, 1);
    }
    request(2);
    giveUp(1, 2);
    assertExecuted(SLOTS, SLOTS - 1, SLOTS);
    request(3);
    assertExecuted(SLOTS, SLOTS, SLOTS);
    for (int i = 0; i < SLOTS; i++) {
      answer(i);
    }
    assertExecuted(SLOTS, 0, 2 * SLOTS);
    for (int i = SLOTS; i < 2 * SLOTS; i++) {
      assertEquals(3, taken.get(i).payload()[0]);
      answer(i);
    }
    assertExecuted(0, 0, 2 * SLOTS);
  }

  @Test
  void shouldNotAnswerTheNextUseOfACallsObject() {
    request(1);
    DeferredAnswer first = taken.get(0).answers();
    assertTrue(first.answer(new byte[0], new byte[8]));
    assertFalse(first.answer(new byte[0], new byte[8]));
    lab.turn();
    assertExecuted(SLOTS - 1, 0, SLOTS);
    giveUp(0, 1);
    lab.endpoint.arrivals.add(far.packet(FarSide.request(id(0, 2), ROUTE.id(), new byte[BYTES])));
    lab.turn();
    assertSame(taken.get(0), taken.get(SLOTS), "the object is used again");
    assertFalse(first.answer(new byte[0], new byte[8]));
    assertFalse(first.fail(CallStatus.HANDLER_FAILED, "late"));
    lab.turn();
    assertExecuted(SLOTS, 0, SLOTS + 1);
    assertTrue(taken.get(SLOTS).answers().answer(new byte[0], new byte[8]));
    lab.turn();
    assertExecuted(SLOTS - 1, 0, SLOTS + 1);
  }

  @Test
  void shouldPutACallsObjectBackOnceThoughItComesBackTwice() {
    request(1);
    answer(0);
    assertThrows(IllegalStateException.class, () -> taken.get(0).onTaken(lab.nowNs));
    giveUp(0, 1);
    request(2);
    Set<DeferredCall> inUse = Collections.newSetFromMap(new IdentityHashMap<>());
    inUse.addAll(taken.subList(1, taken.size()));
    assertEquals(taken.size() - 1, inUse.size());
  }

  @Test
  void shouldNotTellTheNextUseThatThePathOfTheOneBeforeHasEnded() throws Exception {
    request(1);
    DeferredCall shared = taken.get(0);
    path.packets().onFault(new IllegalStateException("planted"));
    lab.faults.clear();
    shared.answers().answer(new byte[0], new byte[8]);
    lab.turn();
    PeerLink other = lab.link(2);
    PeerPath next = lab.open(other, 2, true);
    FarSide caller = new FarSide(2, false);
    lab.endpoint.arrivals.add(
        caller.packet(FarSide.request(id(0, 1), ROUTE.id(), new byte[BYTES])));
    lab.turn();
    assertSame(shared, taken.getLast());
    path.onEnd(CallOutcome.PEER_RESET, "it has failed");
    assertFalse(taken.getLast().isAbandoned());
    assertEquals(1, next.calls().serving().executions().running());
  }

  @Test
  void shouldNotTakeAnAnswerLongerThanThePathsDatagrams() {
    TestCall call = new TestCall(link, ROUTE.id(), 1);
    link.onCall(call, lab.nowNs);
    lab.turn();
    byte[] payload = new byte[WorkerLab.MAX_DATAGRAM_BYTES];
    lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, payload)));
    lab.turn();
    assertEquals(CallOutcome.PEER_RESET, call.outcome);
    assertEquals(1, lab.services.context().counters().protocolViolations);
  }

  @Test
  void shouldTakeAnswersWithoutCredit() {
    List<TestCall> calls = new ArrayList<>();
    long limit = path.packets().credit().announce();
    for (int i = 0; i < 2 * WorkerLab.WINDOW_BYTES / WorkerLab.MAX_DATAGRAM_BYTES; i++) {
      TestCall call = new TestCall(link, ROUTE.id(), 1);
      link.onCall(call, lab.nowNs);
      lab.turn();
      byte[] payload = new byte[WorkerLab.MAX_DATAGRAM_BYTES - 100];
      lab.endpoint.arrivals.add(far.packet(FarSide.response(call.transferId(), 0, payload)));
      lab.turn();
      calls.add(call);
    }
    assertEquals(List.of(), calls.stream().filter(c -> c.outcome != CallOutcome.OK).toList());
    assertEquals(limit, path.packets().credit().announce());
    assertEquals(0, lab.services.context().counters().protocolViolations);
  }
}
