package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.health.HealthListener.Change;
import io.millrace.transfer.PeerHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class SharedPeerHealthTest {
  private static final long MS = 1_000_000;
  private static final int THREADS = 16;
  private static final int UPDATES = 2_000;

  /** So few failures of each thread that the rate is not yet at the highest value. */
  private static final int RISING = 250;

  private final ConcurrentLinkedQueue<Change> told = new ConcurrentLinkedQueue<>();
  private final SharedPeerHealth health =
      new SharedPeerHealth("a:1", HealthSettings.DEFAULT, told::add);

  private static void onAllThreads(LongConsumer work) throws InterruptedException {
    CountDownLatch ready = new CountDownLatch(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long thread = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    ready.countDown();
                    try {
                      ready.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    work.accept(thread);
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @RepeatedTest(20)
  void shouldMakeOneChangeOfWhatManyObserve() throws InterruptedException {
    onAllThreads(
        thread -> health.on((int) thread, HealthObservation.UNANSWERED, 5 * MS, "it is silent"));
    assertEquals(1, told.size());
    onAllThreads(
        thread -> health.on((int) thread, HealthObservation.GIVEN_UP, 6 * MS, "it is silent"));
    assertEquals(2, told.size());
    assertEquals(PeerHealth.FAILED, health.state());
  }

  /**
   * Each change starts from the end of the former change, and the health reports no change twice.
   */
  @Test
  void shouldTellEachChangeOnceWhateverComesTogether() throws InterruptedException {
    HealthObservation[] all = HealthObservation.values();
    onAllThreads(
        thread -> {
          for (int i = 0; i < UPDATES; i++) {
            health.on((int) thread, all[(int) (i + thread) % all.length], 5 * MS, "");
            health.onOutcomes((int) thread, i % 3, i % 2, 0, 5 * MS);
          }
        });
    int[] balance = new int[PeerHealth.values().length];
    balance[PeerHealth.HEALTHY.ordinal()]++;
    told.forEach(
        change -> {
          balance[change.from().ordinal()]--;
          balance[change.to().ordinal()]++;
        });
    int[] end = new int[balance.length];
    end[health.state().ordinal()]++;
    org.junit.jupiter.api.Assertions.assertArrayEquals(end, balance);
  }

  /** The rate still rises with the last update, so a lost update would show. */
  @Test
  void shouldLoseNoOutcome() throws InterruptedException {
    HealthSettings slow = new HealthSettings(1 << 16, 100, 0, MS, 1);
    SharedPeerHealth counted = new SharedPeerHealth("a:1", slow, HealthListener.NONE);
    onAllThreads(
        thread -> {
          for (int i = 0; i < RISING; i++) {
            counted.onOutcomes((int) thread, 0, 64, 0, MS);
          }
        });
    SharedPeerHealth alone = new SharedPeerHealth("a:1", slow, HealthListener.NONE);
    for (int i = 1; i < THREADS * RISING; i++) {
      alone.onOutcomes(0, 0, 64, 0, MS);
    }
    assertNotEquals(alone.word(), counted.word());
    alone.onOutcomes(0, 0, 64, 0, MS);
    assertEquals(alone.word(), counted.word());
  }

  @Test
  void shouldSayWhatAChangeIsAbout() {
    health.onOutcomes(2, 0, 32, 300, 7 * MS);
    health.on(1, HealthObservation.REFUSED, 9 * MS, "port unreachable");
    assertEquals(
        List.of(
            new Change(
                "a:1",
                2,
                PeerHealth.HEALTHY,
                PeerHealth.DEGRADED,
                7 * MS,
                HealthWord.failureRate(health.word()),
                300,
                "packets fail"),
            new Change(
                "a:1",
                1,
                PeerHealth.DEGRADED,
                PeerHealth.FAILED,
                9 * MS,
                HealthWord.failureRate(health.word()),
                300,
                "port unreachable")),
        List.copyOf(told));
    assertEquals(0.5, HealthWord.failureRate(health.word()), 1e-4);
    assertEquals(9.0, health.sinceNs(health.word()) / (double) MS, 0.1);
  }

  @Test
  void shouldTellWhoWatches() {
    List<Change> seen = new ArrayList<>();
    HealthListener watcher = seen::add;
    assertFalse(health.isWatched());
    health.watch(watcher);
    assertTrue(health.isWatched());
    health.on(0, HealthObservation.UNANSWERED, MS, "");
    assertEquals(List.copyOf(told), seen);
    health.unwatch(watcher);
    health.on(0, HealthObservation.GIVEN_UP, MS, "");
    assertEquals(1, seen.size());
    assertEquals(2, told.size());
  }

  @Test
  void shouldKnowWhenThePeerWasHeardOnAnyPath() {
    assertFalse(health.wasHeardWithin(Long.MAX_VALUE, MS));
    health.onHeard(5 * MS);
    assertTrue(health.wasHeardWithin(2 * MS, 6 * MS));
    assertFalse(health.wasHeardWithin(MS, 6 * MS));
  }
}
