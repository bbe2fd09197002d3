package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.Repetitions;
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

  /** Every case in worlds without sockets, every second case in worlds with sockets, in turns. */
  @Test
  void shouldDealTheCasesToTheWorldsWithSockets() {
    World[] worlds = {World.UDP_PANAMA, World.UDP_NIO, World.SIMULATED};
    List<List<Object>> from1 =
        List.of(
            List.of(World.UDP_NIO, Size.MIDDLE),
            List.of(World.SIMULATED, Size.SMALL),
            List.of(World.SIMULATED, Size.MIDDLE),
            List.of(World.SIMULATED, Size.LARGE));
    assertEquals(from1, rows(Combinations.dealt(1, worlds, Size.values())));
    List<List<Object>> from4 =
        List.of(
            List.of(Size.SMALL, World.UDP_PANAMA),
            List.of(Size.SMALL, World.SIMULATED),
            List.of(Size.MIDDLE, World.SIMULATED),
            List.of(Size.LARGE, World.UDP_NIO),
            List.of(Size.LARGE, World.SIMULATED));
    assertEquals(from4, rows(Combinations.dealt(4, Size.values(), worlds)));
    assertEquals(
        List.of(List.of(true, World.UDP_NIO), List.of(true, World.SIMULATED)),
        rows(Combinations.dealt(3, new Boolean[] {true}, worlds)));
  }

  @Test
  void shouldRunWhatHasOnlyAWorldOnSocketsOnceOrOnAll() {
    boolean isSoak = Repetitions.factor() > 1;
    assertEquals(isSoak ? 3 : 2, TestWorld.chosen(World.values()).size());
    assertEquals(isSoak ? 4 : 3, TestWorld.chosen(StallWorld.values()).size());
  }

  @Test
  void shouldBeNoneWhereAParameterHasNoValue() {
    assertEquals(List.of(), rows(Combinations.of(Colour.values(), new Object[0])));
  }
}
