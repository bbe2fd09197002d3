package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitingRoomTest {
  private static final int DEPTH = 1;

  /** The number of submissions that rings of this depth take before the first submission waits. */
  private static final int RINGS = DEPTH + DEPTH * FrameQueue.LEVELS;

  private final List<String> log = new ArrayList<>();
  private final WaitingRoom room = new WaitingRoom(100);
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final SubmissionRings rings = rings(room);
  private final ConcurrentLinkedQueue<Runnable> executor = new ConcurrentLinkedQueue<>();

  private SubmissionRings rings(WaitingRoom of) {
    return new SubmissionRings(DEPTH, of, wakeUps::incrementAndGet);
  }

  private class Named implements Submission {
    private final String name;
    private final int priority;
    private @Nullable WaitingPlace place;

    Named(String name, int priority) {
      this.name = name;
      this.priority = priority;
    }

    @Override
    public int priority() {
      return priority;
    }

    @Override
    public void onAdmitted(WaitingPlace admitted, long nowNs) {
      place = admitted;
    }

    @Override
    public void onTaken(long nowNs) {
      log.add(name);
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      log.add(name + " " + outcome + ": " + text);
    }

    boolean leave() {
      return Objects.requireNonNull(place).leave();
    }
  }

  /** A submission without a wait. */
  private final class AtOnce extends Named {
    AtOnce(String name, int priority) {
      super(name, priority);
    }

    @Override
    public boolean waitsForRoom() {
      return false;
    }
  }

  private ExecutorLane lane(int places) {
    return new ExecutorLane(executor::add, places, 1);
  }

  private ExecutorLane takenLane() {
    ExecutorLane lane = lane(2);
    assertTrue(lane.reserve());
    assertTrue(lane.reserve());
    return lane;
  }

  private void fillRings() {
    for (int i = 0; i < RINGS; i++) {
      rings.submit(new Named("ring", 7));
    }
    assertEquals(0, room.waiting());
  }

  private void drain(SubmissionRings from, int limit) {
    from.drain(limit, 0, WaitingRoomTest::fail);
  }

  private Named submit(SubmissionRings to, String name, int priority, ExecutorLane lane) {
    Named submission = new Named(name, priority);
    assertNull(to.submit(submission, lane));
    return submission;
  }

  @Test
  void shouldTakeWhatWaitsByPriorityAndThenByArrival() {
    fillRings();
    for (int round = 0; round < 3; round++) {
      for (int priority = 7; priority >= 0; priority--) {
        rings.submit(new Named(priority + "." + round, priority));
      }
    }
    List<String> expected = new ArrayList<>();
    for (int priority = 0; priority < 8; priority++) {
      for (int round = 0; round < 3; round++) {
        expected.add(priority + "." + round);
      }
    }

    drain(rings, 1_000);

    log.removeIf("ring"::equals);
    assertEquals(expected, log);
    assertEquals(0, room.waiting());
    assertTrue(rings.isEmpty());
  }

  @Test
  void shouldLetNothingOvertakeWhatWaitsAndIsAsUrgent() {
    fillRings();
    rings.submit(new Named("first", 5));
    rings.submit(new Named("second", 5));
    rings.submit(new Named("third", 5));
    rings.submit(new Named("low", 6));
    assertEquals(3, room.waiting(), "the ring of 5 had room for one");

    rings.submit(new Named("urgent", 0));
    assertEquals(3, room.waiting(), "nobody as urgent waits");
    drain(rings, 2);
    rings.submit(new Named("late", 5));
    drain(rings, 1_000);

    log.removeIf("ring"::equals);
    assertEquals(List.of("urgent", "first", "second", "third", "late", "low"), log);
  }

  @Test
  void shouldRefuseWhatComesBeyondItsBound() {
    WaitingRoom small = new WaitingRoom(2);
    SubmissionRings one = rings(small);
    SubmissionRings other = rings(small);
    for (int i = 0; i < RINGS + 1; i++) {
      one.submit(new Named("one", 3));
      other.submit(new Named("other", 3));
    }
    assertEquals(2, small.waiting());
    assertEquals(List.of(), log);

    one.submit(new Named("late", 3));

    String text = "more calls wait for room than millrace.limits.waiting-submissions allows";
    assertEquals(List.of("late SUBMISSION_FULL: " + text), log);
    drain(one, 1_000);
    one.submit(new Named("later", 3));
    assertEquals(RINGS + 2, log.size());
  }

  @Test
  void shouldRefuseAtOnceWhatDoesNotWait() {
    fillRings();
    rings.submit(new AtOnce("no room", 7));
    String full = "more calls wait for this worker than millrace.workers.submission-depth allows";
    assertEquals(List.of("no room SUBMISSION_FULL: " + full), log);
    log.clear();
    rings.submit(new Named("waits", 7));
    assertEquals(1, room.waiting());

    rings.submit(new AtOnce("would overtake", 7));
    rings.submit(new AtOnce("urgent", 6));
    drain(rings, 100);

    log.removeIf("ring"::equals);
    assertEquals(List.of("would overtake SUBMISSION_FULL: " + full, "urgent", "waits"), log);
    assertEquals(
        "more calls are open than millrace.limits.executor-queue allows",
        rings.submit(new AtOnce("no place", 0), takenLane()));
  }

  @Test
  void shouldLetGoOfWhatLeaves() {
    fillRings();
    Named[] waiting = new Named[5];
    for (int i = 0; i < waiting.length; i++) {
      waiting[i] = new Named("waiting " + i, 7);
      rings.submit(waiting[i]);
    }
    drain(rings, 1);
    assertEquals(5, room.waiting());

    assertTrue(waiting[2].leave());
    assertFalse(waiting[2].leave());
    assertTrue(waiting[0].leave());
    assertTrue(waiting[4].leave());
    assertEquals(2, room.waiting());
    rings.submit(new Named("waiting 5", 7));
    drain(rings, 1_000);

    log.removeIf("ring"::equals);
    assertEquals(List.of("waiting 1", "waiting 3", "waiting 5"), log);
    assertFalse(waiting[1].leave(), "it was taken");
    assertEquals(0, room.waiting());
  }

  @Test
  void shouldRefuseAllThatWaitWhenItsWorkerEnds() {
    ExecutorLane lane = takenLane();
    submit(rings, "admitted", 3, lane);
    drain(rings, 10);
    submit(rings, "arrived", 3, lane);
    submit(rings, "urgent", 0, lane);
    assertEquals(3, room.waiting());

    rings.close(CallOutcome.CLOSED, "closed");
    submit(rings, "late", 0, lane);

    assertEquals(
        List.of(
            "admitted CLOSED: closed",
            "arrived CLOSED: closed",
            "late CLOSED: closed",
            "urgent CLOSED: closed"),
        log.stream().sorted().toList());
    assertEquals(0, room.waiting());
    assertTrue(rings.isEmpty());
    // Each refused call counts as holding a place, and gives the place back like an admitted call.
    for (int i = 0; i < 4; i++) {
      lane.unreserve();
      assertFalse(lane.reserve(), "place " + i);
    }
    lane.unreserve();
    assertTrue(lane.reserve());
  }

  @Test
  void shouldTakeOneForEachPlaceThatIsGivenBack() {
    ExecutorLane lane = takenLane();
    submit(rings, "low", 5, lane);
    submit(rings, "high", 1, lane);
    submit(rings, "high too", 1, lane);
    drain(rings, 100);
    assertEquals(List.of(), log);
    assertTrue(rings.isEmpty(), "a worker must not spin for what it cannot take");
    int woken = wakeUps.get();

    lane.unreserve();

    assertEquals(woken + 1, wakeUps.get());
    assertFalse(rings.isEmpty());
    drain(rings, 100);
    assertEquals(List.of("high"), log);
    lane.unreserve();
    lane.unreserve();
    drain(rings, 100);
    assertEquals(List.of("high", "high too", "low"), log);
    assertFalse(lane.reserve());
  }

  @Test
  void shouldGiveAPlaceToTheMostUrgentOfAllWorkers() {
    SubmissionRings other = rings(room);
    ExecutorLane lane = takenLane();
    submit(rings, "here 4", 4, lane);
    submit(other, "there 4", 4, lane);
    Named urgent = submit(other, "there 2", 2, lane);
    submit(other, "there 3", 3, lane);
    drain(rings, 100);
    drain(other, 100);
    assertTrue(urgent.leave());
    lane.unreserve();

    lane.unreserve();
    drain(rings, 100);
    assertEquals(List.of(), log, "the other worker has a more urgent one");
    drain(other, 100);
    assertEquals(List.of("there 3"), log);
    lane.unreserve();
    drain(other, 100);
    assertEquals(List.of("there 3"), log, "the one here came before");
    drain(rings, 100);
    lane.unreserve();
    drain(other, 100);
    assertEquals(List.of("there 3", "here 4", "there 4"), log);
    assertEquals(0, room.waiting());
  }

  /** Both freed places woke the first worker, which can use a single place. */
  @Test
  void shouldWakeTheWorkerWhosePlaceItIsAndNotTheOneThatWasWoken() {
    ExecutorLane lane = takenLane();
    AtomicInteger othersWakeUps = new AtomicInteger();
    SubmissionRings other = new SubmissionRings(DEPTH, room, othersWakeUps::incrementAndGet);
    submit(rings, "here 1", 3, lane);
    submit(other, "there 2", 3, lane);
    submit(rings, "here 3", 3, lane);
    drain(rings, 100);
    drain(other, 100);
    lane.unreserve();
    lane.unreserve();
    othersWakeUps.set(0);

    drain(rings, 100);
    assertEquals(List.of("here 1"), log);
    assertTrue(othersWakeUps.get() > 0, "a place is free for the other worker, and it sleeps");

    drain(other, 100);
    assertEquals(List.of("here 1", "there 2"), log);
  }

  @Test
  void shouldNotHoldBackWhoGoesToAnotherWorker() {
    fillRings();
    rings.submit(new Named("waits", 0));
    rings.submit(new Named("waits", 0));
    assertEquals(1, room.waiting());
    SubmissionRings other = rings(room);
    other.submit(new Named("other", 7));
    assertEquals(1, room.waiting());
    drain(other, 100);
    assertEquals(List.of("other"), log);
  }

  @Test
  void shouldTakeTheLeastPartOfEachPriorityUnderUrgentSubmissionsWithoutEnd() {
    WaitingRoom fair = new WaitingRoom(10_000, 2);
    SubmissionRings first = rings(fair);
    SubmissionRings other = rings(fair);
    ExecutorLane lane = takenLane();
    for (int i = 0; i < 1_000; i++) {
      submit(first, "urgent", 0, lane);
      submit(first, "low", 7, lane);
      submit(other, "elsewhere", 5, lane);
    }
    for (int place = 0; place < 500; place++) {
      lane.unreserve();
      drain(first, 10);
      drain(other, 10);
      drain(first, 10);
    }
    assertEquals(500, log.size());
    assertEquals(10, log.stream().filter("low"::equals).count());
    assertEquals(10, log.stream().filter("elsewhere"::equals).count());
  }

  @Test
  void shouldTakeTheLeastPartThoughUrgentCallersTakeEachPlaceThatTheyGiveBack() {
    WaitingRoom fair = new WaitingRoom(10_000, 2);
    SubmissionRings first = rings(fair);
    ExecutorLane lane = takenLane();
    for (int i = 0; i < 100; i++) {
      submit(first, "low", 7, lane);
    }
    drain(first, 10);
    for (int place = 0; place < 500; place++) {
      lane.unreserve();
      submit(first, "urgent", 0, lane);
      drain(first, 10);
    }
    assertEquals(500, log.size());
    assertEquals(10, log.stream().filter("low"::equals).count());
  }

  /** All workers share the turns, so another worker may end a turn at any time. */
  @Test
  void shouldTakeTheNamedLevelThoughAnotherWorkerEndsTheTurn() {
    WaitingRoom fair = new WaitingRoom(10, 2);
    WaitingLine line = new WaitingLine(fair, wakeUps::incrementAndGet);
    assertTrue(line.join(new Named("urgent", 0), null));
    assertTrue(line.join(new Named("low", 3), null));
    line.admit(0, WaitingRoomTest::fail);
    int level = line.firstLevel();
    assertEquals(0, level);
    while (fair.firstLevel() != 3) {
      fair.endTurn();
    }

    assertEquals(0, Objects.requireNonNull(line.poll(level)).priority());
    assertEquals(3, Objects.requireNonNull(line.poll(line.firstLevel())).priority());
    assertNull(line.poll(0));
  }

  @Test
  void shouldNeedNoPlaceOnceTheNodeIsDrained() {
    ExecutorLane lane = takenLane();
    submit(rings, "waits", 3, lane);
    drain(rings, 100);
    assertEquals(List.of(), log);

    rings.onDrained();
    assertFalse(rings.isEmpty());
    drain(rings, 100);

    assertEquals(List.of("waits"), log);
    lane.unreserve();
    assertFalse(lane.reserve(), "it had a place");
  }

  /** Takes a place back at once, as after the end of a future. */
  private record Counted(AtomicIntegerArray seen, int number, int priority, ExecutorLane lane)
      implements Submission {
    @Override
    public void onTaken(long nowNs) {
      seen.incrementAndGet(number);
      lane.unreserve();
    }

    @Override
    public void onRefused(CallOutcome outcome, String text) {
      onTaken(0);
    }
  }

  @Test
  void shouldTakeEachOnceWhateverThreadsDo() throws Exception {
    int threads = 3;
    int each = 20_000;
    WaitingRoom large = new WaitingRoom(threads * each);
    List<SubmissionRings> workers = List.of(rings(large), rings(large));
    ExecutorLane lane = lane(4);
    AtomicIntegerArray seen = new AtomicIntegerArray(threads * each);
    AtomicInteger full = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(threads);
    for (int thread = 0; thread < threads; thread++) {
      int first = thread * each;
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                for (int i = 0; i < each; i++) {
                  Counted submission = new Counted(seen, first + i, i % 8, lane);
                  if (workers.get(i % 2).submit(submission, lane) != null) {
                    full.incrementAndGet();
                  }
                }
                done.countDown();
              });
    }
    Thread second = Thread.ofPlatform().daemon().start(() -> drainAll(workers.get(1), done, large));
    drainAll(workers.get(0), done, large);
    second.join();
    workers.forEach(worker -> worker.close(CallOutcome.CLOSED, "closed"));

    assertEquals(0, full.get());
    for (int i = 0; i < threads * each; i++) {
      assertEquals(1, seen.get(i), "submission " + i);
    }
    for (int i = 0; i < 4; i++) {
      assertTrue(lane.reserve());
    }
    assertFalse(lane.reserve());
  }

  private static void drainAll(SubmissionRings worker, CountDownLatch done, WaitingRoom room) {
    while (done.getCount() > 0 || room.waiting() > 0) {
      worker.drain(16, 0, WaitingRoomTest::fail);
    }
  }

  private static void fail(Throwable fault) {
    throw new AssertionError(fault);
  }
}
