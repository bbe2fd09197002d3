package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.testkit.internal.scenario.SeedRange;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RepetitionsTest {
  private static final List<String> ALL = List.of("a", "b", "c");

  @Test
  void shouldMultiplyCountsAndSeedsByTheFactor() {
    int factor = Repetitions.factor();
    assertEquals(7 * factor, Repetitions.times(7));
    assertEquals(new SeedRange(3, 2 + 4L * factor), new SeedRange(3, 6).times(factor));
    assertEquals(SeedRange.of(9), SeedRange.of(9).times(factor));
  }

  @Test
  void shouldChooseAFewInTheirOrder() {
    assertEquals(List.of("b", "c"), Repetitions.chosen(2, ALL, 1).toList());
    assertEquals(List.of("a", "c"), Repetitions.chosen(2, ALL, -1).toList());
    assertEquals(ALL, Repetitions.chosen(9, ALL, 4).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "many", "2147483648"})
  void shouldRefuseAFactorThatIsNone(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Repetitions.factor(text));
    assertEquals(
        "millrace.soak must be a whole number of at least 1, not '" + text + "'",
        refused.getMessage());
  }
}
