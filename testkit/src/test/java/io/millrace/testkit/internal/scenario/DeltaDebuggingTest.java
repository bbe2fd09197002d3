package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DeltaDebuggingTest {
  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void shouldFindTheOnlyItemThatMatters() {
    for (int wanted = 0; wanted < 37; wanted++) {
      int item = wanted;
      assertEquals(
          List.of(item), DeltaDebugging.minimize(numbers(37), some -> some.contains(item)));
    }
  }

  @Test
  void shouldFindItemsThatMatterTogether() {
    List<Integer> wanted = List.of(3, 50, 51, 99);
    assertEquals(wanted, DeltaDebugging.minimize(numbers(100), some -> some.containsAll(wanted)));
  }

  @Test
  void shouldKeepNothingWhenNothingMatters() {
    assertEquals(List.of(), DeltaDebugging.minimize(numbers(10), some -> true));
    assertEquals(List.of(), DeltaDebugging.minimize(List.of(), some -> false));
  }

  @Test
  void shouldKeepAllWhenAllMatter() {
    List<List<Integer>> tried = new ArrayList<>();
    List<Integer> all = numbers(8);
    List<Integer> left =
        DeltaDebugging.minimize(
            all,
            some -> {
              tried.add(some);
              return false;
            });
    assertEquals(all, left);
    assertTrue(tried.size() <= 1 + 2 + 4 + 8, tried.size() + " tests");
  }
}
