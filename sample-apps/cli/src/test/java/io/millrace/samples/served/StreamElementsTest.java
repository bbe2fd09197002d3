package io.millrace.samples.served;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamElementsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 5_000})
  void shouldTakeWhatItMade(int length) {
    StreamElements.Check check = new StreamElements.Check();
    for (int i = 0; i < 10; i++) {
      assertTrue(check.isNext(StreamElements.element(i, length)));
    }

    assertTrue(check.isWhole(10, length));
    assertFalse(check.isWhole(11, length));
    assertFalse(check.isWhole(10, length + 1));
    assertArrayEquals(StreamElements.summaryOf(10, 10L * length), check.summary());
    assertEquals(10, check.count());
  }

  @Test
  void shouldFindEveryWrongByte() {
    for (int wrong = 0; wrong < 100; wrong++) {
      byte[] element = StreamElements.element(0, 100);
      element[wrong]++;

      StreamElements.Check check = new StreamElements.Check();
      assertFalse(check.isNext(element), "byte " + wrong);
      assertFalse(check.isWhole(1, 100));
    }
  }

  @Test
  void shouldFindWhatIsMissingTwiceOrOutOfOrder() {
    StreamElements.Check check = new StreamElements.Check();
    assertTrue(check.isNext(StreamElements.element(0, 20)));
    assertFalse(check.isNext(StreamElements.element(2, 20)));

    StreamElements.Check twice = new StreamElements.Check();
    assertTrue(twice.isNext(StreamElements.element(0, 20)));
    assertFalse(twice.isNext(StreamElements.element(0, 20)));
    assertFalse(twice.isWhole(2, 20));
  }
}
