package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SubmissionRingsTest {
  private static final int DEPTH = 2;

  private final List<String> log = new ArrayList<>();
  private final SubmissionRings rings = new SubmissionRings(DEPTH, new WaitingRoom(0), () -> {});

  private final class Named implements Submission {
    private final String name;
    private final int priority;

    Named(String name, int priority) {
      this.name = name;
      this.priority = priority;
    }

    @Override
    public int priority() {
      return priority;
    }

    @Override
    public void onTaken(long nowNs) {
      if (name.equals("thrower")) {
        throw new IllegalStateException("planted");
      }
      log.add(name);
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      log.add(name + " " + outcome);
    }
  }

  @Test
  void shouldDrainFullRingsInTheOrderOfTheirPriorities() {
    List<String> expected = new ArrayList<>();
    for (int level = FrameQueue.LEVELS - 1; level >= 0; level--) {
      for (int i = 0; i < DEPTH; i++) {
        rings.submit(new Named(level + "." + i, level));
      }
    }
    for (int level = 0; level < FrameQueue.LEVELS; level++) {
      for (int i = 0; i < DEPTH; i++) {
        expected.add(level + "." + i);
      }
    }
    assertEquals(5, rings.drain(5, 0, SubmissionRingsTest::fail));
    assertEquals(expected.subList(0, 5), log);
    assertEquals(FrameQueue.LEVELS * DEPTH - 5, rings.drain(100, 0, SubmissionRingsTest::fail));
    assertEquals(expected, log);
    assertTrue(rings.isEmpty());
  }

  @Test
  void shouldTakeOwnSubmissionsInTheOrderOfTheThread() {
    rings.submitOwn(new Named("own 1", 0));
    rings.submit(new Named("ring 2", 0));
    rings.submitOwn(new Named("own behind the ring 3", 0));
    assertEquals(3, rings.waiting());
    assertEquals(3, rings.drain(10, 0, SubmissionRingsTest::fail));
    assertEquals(List.of("own 1", "ring 2", "own behind the ring 3"), log);
    assertTrue(rings.isEmpty());
  }

  @Test
  void shouldRefuseOwnSubmissionsAtTheClose() {
    rings.submitOwn(new Named("before", 0));
    rings.close(CallOutcome.CLOSED, "planted");
    rings.submitOwn(new Named("after", 0));
    assertEquals(List.of("before CLOSED", "after CLOSED"), log);
    assertEquals(0, rings.waitingBytes());
  }

  @Test
  void shouldRefuseWhatIsSubmittedBeyondTheOverflowButTakeWhatIsGivenBack() {
    int room = DEPTH + DEPTH * FrameQueue.LEVELS;
    for (int i = 0; i < room; i++) {
      rings.submit(new Named("call " + i, 0));
    }
    rings.submit(new Named("call too many", 0));
    assertEquals(List.of("call too many SUBMISSION_FULL"), log);
    for (int i = 0; i < 100; i++) {
      rings.giveBack(new Named("answer " + i, 0));
    }
    log.clear();
    assertEquals(room + 100, rings.drain(1_000, 0, SubmissionRingsTest::fail));
    assertEquals(room + 100, log.size());
    assertEquals("answer 99", log.getLast());
    assertTrue(rings.isEmpty());
  }

  @Test
  void shouldTakeSomeOfTheOverflowHoweverMuchComes() {
    for (int i = 0; i < DEPTH; i++) {
      rings.submit(new Named("call", 0));
    }
    rings.giveBack(new Named("answer", 0));
    for (int turn = 0; turn < 2; turn++) {
      rings.drain(DEPTH, 0, SubmissionRingsTest::fail);
      for (int i = 0; i < DEPTH; i++) {
        rings.submit(new Named("call", 0));
      }
    }
    assertTrue(log.contains("answer"), log::toString);
  }

  @Test
  void shouldTakeSomeOfTheOverflowOfALowPriorityHoweverMuchOfABetterOneComes() {
    for (int i = 0; i <= DEPTH; i++) {
      rings.giveBack(new Named("answer " + i, 5));
    }
    for (int turn = 0; turn <= DEPTH; turn++) {
      rings.submit(new Named("call", 0));
      rings.submit(new Named("call", 0));
      rings.drain(2, 0, SubmissionRingsTest::fail);
    }
    assertEquals("call call answer 0", String.join(" ", log.subList(0, 3)));
    assertTrue(log.contains("answer 0"), log::toString);
  }

  @Test
  void shouldKeepTheOrderOfOneThreadAcrossAFullRing() {
    for (int i = 0; i <= DEPTH; i++) {
      rings.giveBack(new Named(String.valueOf(i), 3));
    }
    rings.drain(1, 0, SubmissionRingsTest::fail);
    rings.giveBack(new Named(String.valueOf(DEPTH + 1), 3));
    rings.drain(100, 0, SubmissionRingsTest::fail);

    assertEquals(List.of("0", "1", "2", "3"), log);
  }

  @Test
  void shouldKeepTheOrderOfEachThreadWhileManySubmit() throws Exception {
    int threads = 3;
    int each = 100_000;
    int[] next = new int[threads];
    AtomicInteger refused = new AtomicInteger();
    for (int thread = 0; thread < threads; thread++) {
      int of = thread;
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                for (int i = 0; i < each; i++) {
                  rings.giveBack(new Ordered(next, of, i, refused));
                }
              });
    }
    int taken = 0;
    while (taken < threads * each) {
      taken += rings.drain(3, 0, SubmissionRingsTest::fail);
    }
    assertEquals(0, refused.get());
    assertTrue(rings.isEmpty());
  }

  /** A submission of a thread, with a check of the thread's order. */
  private record Ordered(int[] next, int thread, int number, AtomicInteger refused)
      implements Submission {
    @Override
    public int priority() {
      return 1;
    }

    @Override
    public void onTaken(long nowNs) {
      assertEquals(next[thread]++, number);
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      refused.incrementAndGet();
    }
  }

  @Test
  void shouldTakeTheNextOnesAfterOneThatThrows() {
    List<Throwable> faults = new ArrayList<>();
    rings.submit(new Named("thrower", 0));
    rings.submit(new Named("next", 0));
    assertEquals(2, rings.drain(10, 0, faults::add));
    assertEquals(List.of("next"), log);
    assertEquals(1, faults.size());
  }

  @Test
  void shouldRefuseAllAfterClose() {
    rings.submit(new Named("waiting", 3));
    rings.close(CallOutcome.CLOSED, "the transport was closed");
    rings.submit(new Named("late", 0));
    rings.giveBack(new Named("late answer", 0));
    assertEquals(List.of("waiting CLOSED", "late CLOSED", "late answer CLOSED"), log);
    assertTrue(rings.isEmpty());
  }

  @Test
  void shouldTakeOrRefuseEachOnceWhenItIsClosedUnderLoad() throws Exception {
    for (int round = 0; round < 200; round++) {
      SubmissionRings closing = new SubmissionRings(DEPTH, new WaitingRoom(0), () -> {});
      AtomicInteger ended = new AtomicInteger();
      int threads = 3;
      int each = 50;
      CountDownLatch done = new CountDownLatch(threads);
      for (int thread = 0; thread < threads; thread++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < each; i++) {
                    if (i % 2 == 0) {
                      closing.submit(new Counted(ended));
                    } else {
                      closing.giveBack(new Counted(ended));
                    }
                  }
                  done.countDown();
                });
      }
      closing.drain(20, 0, SubmissionRingsTest::fail);
      closing.close(CallOutcome.CLOSED, "the transport was closed");
      done.await();
      assertEquals(threads * each, ended.get());
    }
  }

  private static void fail(Throwable fault) {
    throw new AssertionError(fault);
  }

  private record Counted(AtomicInteger ended) implements Submission {
    @Override
    public int priority() {
      return 1;
    }

    @Override
    public void onTaken(long nowNs) {
      ended.incrementAndGet();
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      ended.incrementAndGet();
    }
  }
}
