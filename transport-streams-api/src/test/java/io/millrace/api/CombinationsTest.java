package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

final class CombinationsTest {
  private enum Colour {
    RED,
    BLUE
  }

  private enum Size {
    SMALL,
    MIDDLE,
    LARGE
  }

  private static List<List<Object>> rows(Stream<Arguments> combinations) {
    return combinations.map(each -> List.of(each.get())).toList();
  }

  @Test
  void shouldBeAllOfThemOnceTheLastParameterFirst() {
    assertEquals(
        List.of(
            List.of(Colour.RED, Size.SMALL),
            List.of(Colour.RED, Size.MIDDLE),
            List.of(Colour.RED, Size.LARGE),
            List.of(Colour.BLUE, Size.SMALL),
            List.of(Colour.BLUE, Size.MIDDLE),
            List.of(Colour.BLUE, Size.LARGE)),
        rows(Combinations.of(Colour.values(), Size.values())));
    assertEquals(
        List.of(List.of(1, "a", true), List.of(1, "b", true)),
        rows(Combinations.of(new Integer[] {1}, new String[] {"a", "b"}, new Boolean[] {true})));
  }

  @Test
  void shouldBeNoneWhereAParameterHasNoValue() {
    assertEquals(List.of(), rows(Combinations.of(Colour.values(), new Object[0])));
  }
}
