package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.peer.CallLoop;
import io.millrace.samples.bench.peer.Workload;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CallLoopTest {
  private static final long DURATION_NS = 1_000_000;

  private long nowNs = 5;

  private CallLoop loop(Workload workload) {
    return new CallLoop(workload, DURATION_NS, () -> nowNs);
  }

  private static void answer(CallLoop loop, long id) {
    loop.onResponse(loop.payloadBytes(), id, CallLoop.tail(id));
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepNoMoreInFlightThanTheWorkloadSays(Workload workload) {
    CallLoop loop = loop(workload);
    for (int i = 0; i < workload.outstanding(); i++) {
      assertTrue(loop.canBegin());
      assertNotEquals(0, loop.begin());
    }
    assertFalse(loop.canBegin());
    assertThrows(IllegalStateException.class, loop::begin);
  }

  @Test
  void shouldTimeEachRoundTripWithOneInFlight() {
    CallLoop loop = loop(Workload.UNARY_RTT_32B);
    for (int i = 1; i <= 100; i++) {
      long id = loop.begin();
      nowNs += i;
      answer(loop, id);
    }
    assertEquals(100, loop.completed());
    assertEquals(50, loop.roundTripNs(50));
    assertEquals(99, loop.roundTripNs(99));
  }

  @Test
  void shouldEndOnceTimeIsOverAndEveryCallAnswered() throws InterruptedException {
    CallLoop loop = loop(Workload.UNARY_RATE_32B_256);
    List<Long> ids = new ArrayList<>();
    while (loop.canBegin()) {
      ids.add(loop.begin());
    }
    nowNs += DURATION_NS;
    for (int i = 0; i < 64; i++) {
      assertTrue(loop.elapsedNs() == 0);
      answer(loop, ids.get(i));
    }
    assertEquals(DURATION_NS, loop.elapsedNs());
    assertFalse(loop.canBegin());
    assertFalse(loop.isDone());
    assertFalse(loop.awaitDone(0));
    ids.subList(64, ids.size()).forEach(id -> answer(loop, id));
    assertTrue(loop.isDone());
    assertTrue(loop.awaitDone(0));
    assertEquals(64, loop.completed(), "calls answered after the time do not count");
    assertEquals(0, loop.wrong());
  }

  @Test
  void shouldTakeAnswersInAnyOrder() {
    long seed = 20260;
    Random random = new Random(seed);
    CallLoop loop = loop(Workload.UNARY_RATE_1344B_256);
    List<Long> pending = new ArrayList<>();
    HashSet<Long> seen = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      while (loop.canBegin()) {
        long id = loop.begin();
        assertTrue(seen.add(id), "an id was used twice, seed " + seed);
        pending.add(id);
      }
      answer(loop, pending.remove(random.nextInt(pending.size())));
    }
    assertEquals(10_000, loop.completed());
    assertEquals(0, loop.wrong());
  }

  @Test
  void shouldNoticeWrongAnswers() {
    CallLoop loop = loop(Workload.UNARY_RATE_32B_256);
    long id = loop.begin();
    loop.onResponse(31, id, CallLoop.tail(id));
    loop.onResponse(33, id, CallLoop.tail(id));
    loop.onResponse(32, id, CallLoop.tail(id) + 1);
    loop.onResponse(32, id + 1, CallLoop.tail(id + 1));
    loop.onResponse(32, id | 0xFFFF, CallLoop.tail(id | 0xFFFF));
    loop.onResponse(32, id + (1L << 16), CallLoop.tail(id + (1L << 16)));
    assertEquals(6, loop.wrong());
    assertEquals(0, loop.completed());
    answer(loop, id);
    assertEquals(1, loop.completed());
    answer(loop, id);
    assertEquals(7, loop.wrong(), "the same answer again");
    assertEquals(1, loop.completed());
  }

  @Test
  void shouldEndWhenACallFails() throws InterruptedException {
    CallLoop loop = loop(Workload.UNARY_RATE_32B_256);
    loop.begin();
    loop.onFailure();
    assertTrue(loop.isDone());
    assertTrue(loop.awaitDone(0));
    assertFalse(loop.canBegin());
    assertEquals(1, loop.wrong());
  }
}
