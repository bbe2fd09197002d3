package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.protocol.stream.ElementMemory;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ElementInletTest {
  private static final int WINDOW = 64;
  private static final TransportSettings SETTINGS =
      TransportSettings.parse("millrace.streams { window = " + WINDOW + ", window-bytes = 1 MiB }");
  private static final StreamEnd FAILED = new StreamEnd(CallOutcome.HANDLER_FAILED, "on purpose");

  private final List<Submission> signals = new ArrayList<>();
  private final ElementStream stream = new ElementStream(signals::add, 0, SETTINGS, true);
  private final ElementInlet inlet = stream.inlet();

  @Test
  void shouldSignalOnceHalfOfTheWindowWasTakenSinceTheSenderWasTold() {
    take(WINDOW / 2 - 1);
    assertEquals(0, signals.size());
    take(1);
    assertEquals(1, signals.size());
    // The worker comes late and reports the elements taken until then.
    take(8);
    onWorker(inlet.consumedElements());
    take(WINDOW / 2 - 1);
    assertEquals(1, signals.size());
    take(1);
    assertEquals(2, signals.size());
  }

  @Test
  void shouldSignalAgainWhileTheSenderWasNotTold() {
    take(WINDOW / 2);
    stream.onTaken(0);
    take(1);
    assertEquals(2, signals.size());
  }

  @Test
  void shouldNotSignalOnceTheSenderIsToldNothingMore() {
    inlet.onToldAll();
    take(WINDOW);
    assertEquals(0, signals.size());
  }

  @Test
  void shouldNotLookWholeOnceItWasGivenUp() {
    inlet.onElement(new byte[1]);

    inlet.giveUp(FAILED);
    inlet.onEnd(new StreamEnd(CallOutcome.OK, ""));

    assertSame(FAILED, inlet.end());
    assertNull(inlet.poll());
  }

  @Test
  void shouldFailThoughItsEndWasKnown() {
    inlet.onElement(new byte[1]);
    inlet.onEnd(new StreamEnd(CallOutcome.OK, ""));

    inlet.giveUp(FAILED);

    assertSame(FAILED, inlet.end());
    assertNull(inlet.poll());
  }

  /**
   * The thread that drops the waiting elements and the thread that takes elements meet anywhere.
   */
  @Test
  void shouldYieldNothingBehindAGapAndGiveBackAllMemory() throws Exception {
    for (int round = 0; round < 3_000; round++) {
      Budget budget = new Budget();
      ElementInlet shared = stream(budget).inlet();
      for (int i = 0; i < WINDOW; i++) {
        budget.reserve(ElementMemory.cost(1, i));
        shared.onElement(new byte[i]);
      }
      CountDownLatch begun = new CountDownLatch(1);
      FutureTask<Boolean> taking = new FutureTask<>(() -> isInOrder(shared, begun));
      Thread.ofPlatform().start(taking);
      begun.await();

      shared.giveUp(FAILED);

      assertTrue(taking.get(), "an element came behind a gap");
      assertEquals(0, budget.reserved.get());
    }
  }

  private static boolean isInOrder(ElementInlet shared, CountDownLatch begun) {
    boolean isInOrder = true;
    int next = 0;
    while (shared.end() == null || !shared.isEmpty()) {
      byte[] element = shared.poll();
      if (element != null) {
        isInOrder &= element.length == next;
        next++;
      }
      begun.countDown();
    }
    return isInOrder;
  }

  private void take(int elements) {
    for (int i = 0; i < elements; i++) {
      inlet.onElement(new byte[1]);
      assertArrayEquals(new byte[1], inlet.poll());
    }
  }

  private static ElementStream stream(ElementMemory memory) {
    ElementStream shared = new ElementStream(signal -> {}, 0, SETTINGS, true);
    shared.inlet().memory(memory);
    return shared;
  }

  /** Memory without a bound. */
  private static final class Budget implements ElementMemory {
    private final AtomicLong reserved = new AtomicLong();

    @Override
    public boolean reserve(long bytes) {
      reserved.addAndGet(bytes);
      return true;
    }

    @Override
    public void giveBack(long bytes) {
      reserved.addAndGet(-bytes);
    }

    @Override
    public boolean reserveAssembly(long bytes) {
      return true;
    }

    @Override
    public void giveBackAssembly(long bytes) {}
  }

  private void onWorker(long elements) {
    inlet.onTold(elements, elements);
    stream.onTaken(0);
  }
}
