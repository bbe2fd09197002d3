package io.millrace.protocol.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The numbers that a receiver holds back, and the moment of their release. */
class ArrivedNumbersTest {
  private static final long ROOT = 77;

  private final ArrivedNumbers numbers = new ArrivedNumbers();

  private static final class Held extends HeldTransfer {}

  private Held waiting(boolean isCascading, long... on) {
    Held held = new Held();
    for (long number : on) {
      assertTrue(numbers.await(held, number, isCascading, 0));
    }
    return held;
  }

  @Test
  void shouldWaitForAllThatAreOpenThoughOneWasAnswered() {
    numbers.onEnded(1, true, 0);
    Held held = waiting(true, 1, 2, 3);
    assertTrue(held.isWaiting());
    numbers.onEnded(3, true, 0);
    assertNull(numbers.poll());
    numbers.onEnded(2, true, 0);
    assertSame(held, numbers.poll());
    assertEquals(0, held.root());
  }

  @Test
  void shouldFailByWhatFailedBeforeItCame() {
    numbers.onEnded(1, true, 0);
    numbers.onEnded(2, false, ROOT);
    Held held = waiting(true, 1, 2, 3);
    assertFalse(held.isWaiting());
    assertEquals(ROOT, held.root());
    numbers.onEnded(3, true, 0);
    assertNull(numbers.poll(), "it is known to have failed");
  }

  @Test
  void shouldFailAtOnceByWhatFailsLaterAndLeaveTheRest() {
    Held held = waiting(true, 1, 2);
    numbers.onEnded(1, false, ROOT);
    assertSame(held, numbers.poll());
    assertEquals(ROOT, held.root());
    numbers.onEnded(2, true, 0);
    assertNull(numbers.poll());
  }

  @Test
  void shouldGoOnAfterAFailureThatIsNotItsOwn() {
    Held held = waiting(false, 1);
    numbers.onEnded(1, false, ROOT);
    assertSame(held, numbers.poll());
    assertEquals(0, held.root());
  }

  @Test
  void shouldNotLetGoOfWhatIsAbandonedBetweenItsTurnAndTheLook() {
    Held first = waiting(false, 1);
    Held second = waiting(true, 1);
    Held third = waiting(false, 1);
    numbers.onEnded(1, false, ROOT);
    numbers.abandon(first);
    numbers.abandon(second);
    assertSame(third, numbers.poll());
    assertNull(numbers.poll());
  }

  @Test
  void shouldLetGoInTheOrderOfArrival() {
    Held first = waiting(true, 5);
    Held second = waiting(false, 5);
    Held third = waiting(true, 5);
    numbers.abandon(second);
    numbers.onEnded(5, true, 0);
    assertSame(first, numbers.poll());
    assertSame(third, numbers.poll());
    assertNull(numbers.poll());
  }

  @Test
  void shouldRefuseNumbersThatCannotBe() {
    assertFalse(numbers.onFloor(0, 0));
    assertFalse(numbers.onFloor(5, 4), "smaller than the floor");
    assertFalse(numbers.onFloor(5, 5 + SentNumbers.WINDOW));
    assertTrue(numbers.onFloor(5, 5 + SentNumbers.WINDOW - 1));
    assertFalse(numbers.await(new Held(), 4, true, 9), "forgotten");
    assertFalse(numbers.await(new Held(), 9, true, 9), "itself");
    assertFalse(numbers.await(new Held(), 5 + SentNumbers.WINDOW, true, 0));
  }

  @Test
  void shouldRememberAWholeWindowAndForgetWhatIsBelowTheFloor() {
    for (long number = 1; number <= SentNumbers.WINDOW; number++) {
      numbers.onEnded(number, number % 2 == 0, number);
    }
    assertEquals(0, waiting(true, 2).root());
    assertEquals(SentNumbers.WINDOW - 1, waiting(true, SentNumbers.WINDOW - 1).root());
    assertTrue(numbers.onFloor(SentNumbers.WINDOW + 1, 0));
    Held held = waiting(true, SentNumbers.WINDOW + 1);
    assertTrue(held.isWaiting(), "the place of a number that failed is empty");
  }
}
