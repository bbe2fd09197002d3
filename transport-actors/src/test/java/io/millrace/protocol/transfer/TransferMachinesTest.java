package io.millrace.protocol.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.transfer.FrameEncodingTest.TestCall;
import io.millrace.protocol.transfer.ServedCalls.Arrival;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.Test;

/** The machines of transfers, each by itself. */
class TransferMachinesTest {
  private static final byte[] NO_BYTES = {};

  @Test
  void shouldLayOutTransferIds() {
    long id = TransferId.of(200, 0xABCDEF, 0x7FFFFFFF);
    assertEquals(200, TransferId.worker(id));
    assertEquals(0xABCDEF, TransferId.generation(id));
    assertEquals(0x7FFFFFFF, TransferId.slot(id));
    assertEquals(1, TransferId.nextGeneration(0xFFFFFF));
    assertTrue(TransferId.isNewer(1, 0xFFFFFF));
    assertFalse(TransferId.isNewer(0xFFFFFF, 1));
    assertFalse(TransferId.isNewer(5, 5));
  }

  @Test
  void shouldNeverGiveAnIdToTwoOpenCallsAndReuseSlotsLate() {
    OutboundCalls calls = new OutboundCalls(9, 100);
    ArrayDeque<TestCall> open = new ArrayDeque<>();
    List<Long> ids = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      TestCall call = call();
      boolean opened = calls.open(call);
      assertEquals(open.size() < 100, opened);
      if (opened) {
        assertEquals(9, TransferId.worker(call.transferId()));
        ids.add(call.transferId());
        open.add(call);
      }
      if (!opened || random.nextInt(3) == 0) {
        TestCall ended = open.poll();
        assertSame(ended, calls.end(ended.transferId()));
        assertNull(calls.end(ended.transferId()));
      }
    }
    assertEquals(ids.size(), ids.stream().distinct().count());
  }

  @Test
  void shouldGiveAMillionIdsOnTwoWorkersWithoutADuplicateThoughTheyShareNothing() {
    int each = 500_000;
    LongHashSet ids = new LongHashSet(4 * each);
    for (int worker = 0; worker < 2; worker++) {
      OutboundCalls calls = new OutboundCalls(worker, 1_000);
      ArrayDeque<TestCall> open = new ArrayDeque<>();
      for (int i = 0; i < each; i++) {
        if (open.size() == 1_000) {
          calls.end(open.poll().transferId());
        }
        TestCall call = call();
        assertTrue(calls.open(call));
        open.add(call);
        assertTrue(ids.add(call.transferId()), "id " + i + " of worker " + worker);
      }
    }
    assertEquals(2 * each, ids.size());
  }

  @Test
  void shouldFailEveryOpenCallOnce() {
    OutboundCalls calls = new OutboundCalls(0, 10);
    List<TestCall> made = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      TestCall call = call();
      calls.open(call);
      made.add(call);
    }
    calls.end(made.get(4).transferId());
    calls.failAll(CallOutcome.PEER_RESET, "gone");
    calls.failAll(CallOutcome.PEER_RESET, "gone");
    for (TestCall call : made) {
      assertEquals(call == made.get(4) ? 0 : 1, call.endings);
    }
    assertEquals(0, calls.openCount());
  }

  @Test
  void shouldExecuteARequestOnceHoweverOftenAndLateItArrives() {
    ServedCalls served = new ServedCalls(1 << 16, new AnswerMemory(1 << 20), TestOwner.NONE);
    long first = TransferId.of(1, 1, 40_000);
    long second = TransferId.of(1, 2, 40_000);
    assertEquals(Arrival.NEW, served.onRequest(first, 0));
    assertEquals(Arrival.DUPLICATE, served.onRequest(first, 0));
    answer(served, first);
    assertEquals(Arrival.DUPLICATE, served.onRequest(first, 0));
    assertTrue(served.onResponseAcknowledged(40_000, 1));
    assertFalse(served.onResponseAcknowledged(40_000, 1));
    assertEquals(Arrival.DUPLICATE, served.onRequest(first, 0));
    assertEquals(Arrival.NEW, served.onRequest(second, 0));
    assertEquals(Arrival.STALE, served.onRequest(first, 0));
    assertEquals(Arrival.BEYOND_LIMIT, served.onRequest(TransferId.of(1, 1, 1 << 16), 0));
    assertEquals(Arrival.BEYOND_LIMIT, served.onRequest(TransferId.of(1, 1, -1), 0));
  }

  @Test
  void shouldNotReuseAServedCallThatStillWaitsToBeSentAgain() {
    ServedCalls served = new ServedCalls(16, new AnswerMemory(1 << 20), TestOwner.NONE);
    FrameQueue queue = new FrameQueue();
    long id = TransferId.of(1, 1, 0);
    served.onRequest(id, 4);
    ServedCall call = answer(served, id);
    queue.add(call);
    queue.poll(4);
    queue.addFirst(call);
    assertTrue(served.onResponseAcknowledged(0, 1));
    assertTrue(call.isObsolete());
    served.onRequest(TransferId.of(1, 2, 0), 4);
    assertNotEquals(call, served.find(0, 2));
    served.onDropped((ServedCall) queue.poll(4));
    served.onRequest(TransferId.of(1, 1, 1), 4);
    assertSame(call, served.find(1, 1));
  }

  @Test
  void shouldKeepOrderWithinALevelAndPutRetransmissionsFirst() {
    FrameQueue queue = new FrameQueue();
    TestCall first = call();
    TestCall second = call();
    TestCall again = call();
    queue.add(first);
    queue.add(second);
    queue.addFirst(again);
    assertEquals(3, queue.size());
    assertThrows(IllegalStateException.class, () -> queue.add(first));
    assertSame(again, queue.poll(3));
    assertSame(first, queue.poll(3));
    assertSame(second, queue.poll(3));
    assertEquals(0, queue.nonEmptyLevels());
    assertThrows(IllegalStateException.class, () -> queue.poll(3));
  }

  /** A lost request waits to go again when its late answer ends the call. */
  @Test
  void shouldKeepTheLengthOfAQueuedRequestWhosePromiseIsOver() {
    FrameQueue queue = new FrameQueue();
    ReceiveBudget budget = new ReceiveBudget(12_500_000, 64 << 10);
    TestCall call = call();
    call.promise(Objects.requireNonNull(budget.answers().prepare(bytes -> {})));
    queue.add(call);
    queue.poll(3);
    queue.addFirst(call);
    call.dropPromise();
    queue.remove(call);
    assertEquals(0, queue.bytes());
  }

  @Test
  void shouldPutAFrameBehindAnotherOfItsLevel() {
    FrameQueue queue = new FrameQueue();
    TestCall opening = call();
    TestCall waiting = call();
    TestCall lost = call();
    TestCall last = call();
    assertThrows(IllegalArgumentException.class, () -> queue.addBehind(opening, lost));
    queue.add(opening);
    queue.add(waiting);
    queue.addBehind(opening, lost);
    queue.addBehind(waiting, last);
    assertThrows(IllegalArgumentException.class, () -> new FrameQueue().addBehind(opening, call()));
    assertSame(opening, queue.poll(3));
    assertSame(lost, queue.poll(3));
    assertSame(waiting, queue.poll(3));
    assertSame(last, queue.poll(3));
    assertTrue(queue.isEmpty());
  }

  @Test
  void shouldLetWhatCostsNothingPassWhatHasNoCredit() {
    FrameQueue queue = new FrameQueue();
    SendCredit credit = new SendCredit(InlineCost.of(0, 0));
    ServedCalls served = new ServedCalls(16, new AnswerMemory(1 << 20), TestOwner.NONE);
    TestCall first = new TestCall(1, 3, NO_BYTES, new byte[10]);
    TestCall second = call();
    long id = TransferId.of(1, 1, 0);
    served.onRequest(id, 3);
    ServedCall answer = answer(served, id);
    TestCall inOrder = call();
    inOrder.setCharged(true);
    queue.add(first);
    queue.add(second);
    queue.add(answer);
    queue.addInOrder(inOrder);
    assertSame(first, queue.peek(3));
    assertSame(answer, queue.peek(3, credit));
    queue.remove(answer);
    assertNull(queue.peek(3, credit));
    assertEquals(0, queue.sendableLevels(credit));
    queue.add(answer);
    credit.onLimit(1_000, 0, 0);
    for (OutboundFrame each : List.of(first, second, inOrder, answer)) {
      assertEquals(8, queue.sendableLevels(credit));
      assertSame(each, queue.peek(3, credit));
      queue.remove(each);
    }
    assertTrue(queue.isEmpty());
  }

  @Test
  void shouldNeverLetMoreOutstandingThanTheWindow() {
    ReceiveCredit receiver = new ReceiveCredit(10_000, 10_000, new ReceiveBudget(0, 0));
    SendCredit sender = new SendCredit(10_000);
    ArrayDeque<Integer> kept = new ArrayDeque<>();
    Random random = new Random(11);
    for (int i = 0; i < 100_000; i++) {
      int cost = 64 + random.nextInt(1_000);
      if (sender.canSend(cost)) {
        sender.onSent(cost);
        assertTrue(receiver.onReceived(cost));
        kept.add(cost);
      } else {
        assertNotNull(kept.peek());
      }
      if (random.nextInt(2) == 0 && !kept.isEmpty()) {
        receiver.onConsumed(kept.poll());
      }
      if (receiver.isAnnouncementDue()) {
        sender.onLimit(receiver.announce(0), 0, 0);
        receiver.onAnnouncementTracked();
      }
      assertTrue(receiver.outstandingBytes() <= 10_000);
    }
    assertFalse(receiver.onReceived(20_000));
  }

  @Test
  void shouldAskForATrackedAnnouncementHoweverManyWentUntracked() {
    ReceiveCredit receiver = new ReceiveCredit(1_000, 1_000, new ReceiveBudget(0, 0));
    receiver.onReceived(600);
    receiver.onConsumed(600);
    assertTrue(receiver.isAnnouncementDue());
    receiver.announce(0);
    assertTrue(receiver.isAnnouncementDue());
    receiver.onAnnouncementTracked();
    assertFalse(receiver.isAnnouncementDue());
  }

  @Test
  void shouldIgnoreALimitThatWasOvertaken() {
    SendCredit credit = new SendCredit(100);
    credit.onLimit(500, 0, 0);
    credit.onLimit(300, 0, 0);
    assertEquals(500, credit.availableBytes());
  }

  private static ServedCall answer(ServedCalls served, long id) {
    ServedCall call = served.find(TransferId.slot(id), TransferId.generation(id));
    assertNotNull(call);
    call.answer(CallStatus.OK.value(), 0, 3);
    return call;
  }

  private static TestCall call() {
    return new TestCall(1, 3, NO_BYTES, NO_BYTES);
  }
}
