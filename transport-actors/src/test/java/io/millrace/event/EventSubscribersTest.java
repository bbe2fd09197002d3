package io.millrace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.PeerHealth;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Subscribers come, go, are slow and throw, without effect on other subscribers. */
class EventSubscribersTest {
  private final RecordingEvents first = new RecordingEvents(100);
  private final List<Throwable> reported = new ArrayList<>();
  private final List<Steps> threads = new ArrayList<>();
  private final List<Runnable> ticks = new ArrayList<>();
  private final EventSubscribers events = subscribers(first);

  private EventSubscribers subscribers(TransportEvents direct) {
    EventSubscribers made =
        new EventSubscribers(
            new EventSubscribers.Means(
                reported::add,
                this::newThread,
                (interval, task) -> {
                  ticks.add(task);
                  return () -> ticks.remove(task);
                },
                () -> 0));
    made.direct(direct);
    return made;
  }

  private ExecutorService newThread() {
    threads.add(new Steps());
    return threads.getLast();
  }

  /** An executor whose tasks run at the test's command. */
  private static final class Steps extends AbstractExecutorService {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean isShut;
    private boolean isHanging;

    private void run() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }

    @Override
    public void execute(Runnable task) {
      if (isShut) {
        throw new RejectedExecutionException();
      }
      tasks.add(task);
    }

    @Override
    public void shutdown() {
      isShut = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      isShut = true;
      isHanging = false;
      List<Runnable> left = List.copyOf(tasks);
      tasks.clear();
      return left;
    }

    @Override
    public boolean isShutdown() {
      return isShut;
    }

    @Override
    public boolean isTerminated() {
      return isShut && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (isHanging) {
        return false;
      }
      run();
      return true;
    }
  }

  private static List<String> degraded(int from, int to) {
    List<String> lines = new ArrayList<>();
    for (int i = from; i < to; i++) {
      lines.add("ResourceDegraded worker=" + i + " what=bindAddress");
    }
    return lines;
  }

  private void happen(int from, int to) {
    for (int i = from; i < to; i++) {
      events.onResourceDegraded(i, "bindAddress"); // no lack, so without a derived event
    }
  }

  private static SubscriptionOptions waiting(int events) {
    return SubscriptionOptions.DEFAULTS.withQueuedEvents(events);
  }

  private void runAll() {
    threads.forEach(Steps::run);
  }

  @Test
  void shouldTellAllOfEverything() throws Exception {
    List<String> told = new ArrayList<>();
    EventSubscribers all = subscribers(EventArguments.noting(told));
    all.add(EventArguments.noting(told), SubscriptionOptions.DEFAULTS);
    List<String> expected = new ArrayList<>();
    for (Method method : EventArguments.methods().toList()) {
      Object[] arguments = EventArguments.of(method);
      expected.add(method.getName() + Arrays.toString(arguments));
      method.invoke(all, arguments);
    }
    assertEquals(expected, withoutDerived(told, expected));
    runAll();
    expected.addAll(List.copyOf(expected));
    assertEquals(expected, withoutDerived(told, expected));
  }

  /**
   * Some events bring an event of a missing resource along, the subject of {@code
   * ReducedModesTest}.
   */
  private static List<String> withoutDerived(List<String> told, List<String> expected) {
    return told.stream()
        .filter(line -> expected.contains(line) || !line.startsWith("onResourceMissing"))
        .toList();
  }

  @Test
  void shouldTellEachFromWhenItCameUntilItLeft() {
    happen(0, 1);
    RecordingEvents one = new RecordingEvents(100);
    EventSubscription subscription = events.add(one, waiting(16));
    happen(1, 3);
    RecordingEvents other = new RecordingEvents(100);
    events.add(other, waiting(16));
    happen(3, 4);
    runAll();
    subscription.close();
    subscription.close();
    happen(4, 5);
    runAll();

    assertEquals(degraded(0, 5), first.lines());
    assertEquals(degraded(1, 4), one.lines());
    assertEquals(degraded(3, 5), other.lines());
    assertTrue(threads.getFirst().isShutdown());
    assertFalse(threads.getLast().isShutdown());
  }

  @Test
  void shouldTellWhoWantsOnlyWhatIsRareNothingElse() {
    RecordingEvents rare = new RecordingEvents(100);
    EventSubscription subscription = events.addForRare(rare, 16);
    happen(0, 3);
    events.onHandshakeRefused("a:1", "no", 1);
    events.onHandlerFault("b:2", "route", "unary", new IllegalStateException("x"), 1);
    events.onPeerHealth(
        new PeerHealthChange(
            0, "c:3", PeerHealth.PROBING, PeerHealth.FAILED, 9, 0.5, 100, "silent"));
    assertEquals(List.of(), rare.lines(), "on its own thread");
    runAll();
    assertEquals(first.lines().subList(3, 6), rare.lines());

    subscription.close();
    events.onHandshakeRefused("a:1", "no", 2);
    runAll();
    assertEquals(3, rare.lines().size());
    assertEquals(7, first.lines().size());
  }

  @Test
  void shouldForgetWhatWaitsForWhoLeaves() {
    RecordingEvents one = new RecordingEvents(100);
    EventSubscription subscription = events.add(one, waiting(16));
    happen(0, 3);
    subscription.close();
    runAll();
    assertEquals(List.of(), one.lines());
  }

  @Test
  void shouldDropForTheSlowOneAloneAndCount() {
    RecordingEvents slow = new RecordingEvents(100);
    EventSubscription subscription = events.add(slow, waiting(4));
    RecordingEvents quick = new RecordingEvents(100);
    EventSubscription other = events.add(quick, waiting(4));
    for (int i = 0; i < 10; i++) {
      happen(i, i + 1);
      threads.getLast().run();
    }
    assertEquals(degraded(0, 10), first.lines());
    assertEquals(degraded(0, 10), quick.lines());
    assertEquals(0, other.dropped());
    assertEquals(6, subscription.dropped());

    runAll();
    happen(10, 11);
    runAll();
    List<String> expected = degraded(0, 4);
    expected.addAll(degraded(10, 11));
    assertEquals(expected, slow.lines());
    assertEquals(6, subscription.dropped());
  }

  @Test
  void shouldGoOnWithOneThatThrowsAndWithTheOthers() {
    List<Integer> told = new ArrayList<>();
    events.add(
        new TransportEvents() {
          @Override
          public void onResourceDegraded(int worker, String what) {
            told.add(worker);
            if (worker == 0) {
              throw new IllegalStateException("on purpose");
            }
            throw new AssertionError("on purpose");
          }
        },
        waiting(16));
    RecordingEvents other = new RecordingEvents(100);
    events.add(other, waiting(16));
    happen(0, 3);
    runAll();
    assertEquals(List.of(0, 1, 2), told);
    assertEquals(degraded(0, 3), other.lines());
    assertEquals(2, reported.size(), "the first and the second");
  }

  @Test
  void shouldAskForAThreadAgainWhenThereWasNone() {
    RecordingEvents one = new RecordingEvents(100);
    events.add(one, waiting(16));
    threads.getFirst().isShut = true;
    happen(0, 1);
    threads.getFirst().isShut = false;
    happen(1, 2);
    runAll();
    assertEquals(degraded(0, 2), one.lines());
  }

  @Test
  void shouldTellWhatWaitsWhenItIsClosed() {
    RecordingEvents hanging = new RecordingEvents(100);
    events.add(hanging, waiting(16));
    RecordingEvents one = new RecordingEvents(100);
    events.add(one, waiting(16));
    threads.getFirst().isHanging = true;
    happen(0, 3);
    events.close();
    events.close();
    assertEquals(degraded(0, 3), one.lines());
    assertEquals(List.of(), hanging.lines());
    assertTrue(threads.stream().allMatch(Steps::isTerminated));
    assertThrows(IllegalStateException.class, () -> events.add(one, waiting(16)));
    happen(3, 4);
    assertEquals(degraded(0, 4), first.lines());
  }

  @Test
  void shouldTellWhatWaitsWhenAnInterruptedThreadClosesIt() {
    RecordingEvents one = new RecordingEvents(100);
    events.add(one, waiting(16));
    happen(0, 3);
    Thread.currentThread().interrupt();
    events.close();
    assertTrue(Thread.interrupted());
    assertEquals(degraded(0, 3), one.lines());
  }

  @Test
  void shouldRefuseAQueueOfNothing() {
    assertThrows(IllegalArgumentException.class, () -> events.add(first, waiting(1)));
    assertEquals(List.of(), threads);
  }
}
