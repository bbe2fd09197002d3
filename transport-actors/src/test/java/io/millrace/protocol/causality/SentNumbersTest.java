package io.millrace.protocol.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The numbers that a sender keeps. */
class SentNumbersTest {
  private final SentNumbers numbers = new SentNumbers();

  @Test
  void shouldKeepANumberAsLongAsSomebodyNamesIt() {
    long first = numbers.take();
    long second = numbers.take();
    numbers.hold(first);
    numbers.release(first);
    assertTrue(numbers.isKept(first));
    assertEquals(first, numbers.floor());
    numbers.release(first);
    assertFalse(numbers.isKept(first));
    assertEquals(second, numbers.floor());
  }

  @Test
  void shouldNotPassOneThatIsKept() {
    long first = numbers.take();
    numbers.release(numbers.take());
    assertEquals(first, numbers.floor());
    numbers.release(first);
    assertEquals(3, numbers.floor());
  }

  @Test
  void shouldGiveNoMoreThanTheReceiverRemembers() {
    long first = numbers.take();
    for (int count = 1; count < SentNumbers.WINDOW; count++) {
      numbers.release(numbers.take());
    }
    assertEquals(0, numbers.take());
    numbers.release(first);
    assertEquals(SentNumbers.WINDOW + 1, numbers.take());
  }

  @Test
  void shouldRefuseToHoldWhatIsNotKept() {
    numbers.release(numbers.take());
    assertThrows(IllegalArgumentException.class, () -> numbers.hold(1));
    assertThrows(IllegalArgumentException.class, () -> numbers.release(2));
  }
}
