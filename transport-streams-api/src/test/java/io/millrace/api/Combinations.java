package io.millrace.api;

import io.millrace.testkit.Repetitions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every combination of the values of a test's parameters. */
final class Combinations {
  private Combinations() {}

  /**
   * Returns the combinations with one value of each parameter; the last parameter changes first.
   */
  static Stream<Arguments> of(Object[]... parameters) {
    return rows(List.of(parameters)).map(Arguments::of);
  }

  /**
   * Returns the combinations for a test with a {@link TestWorld} as one parameter. In the commit
   * tier each case runs in every world without sockets, and every second case in a world with
   * sockets, in turns. The next commit begins with another case, and the soak runs all
   * combinations.
   */
  static Stream<Arguments> dealt(Object[]... parameters) {
    return Repetitions.factor() > 1 ? of(parameters) : dealt(Repetitions.turn(), parameters);
  }

  static Stream<Arguments> dealt(int from, Object[]... parameters) {
    List<Object[]> rows = rows(List.of(parameters)).toList();
    List<TestWorld> sockets =
        rows.stream().map(Combinations::world).filter(TestWorld::isOnSockets).distinct().toList();
    List<List<Object>> cases = rows.stream().map(Combinations::withoutWorld).distinct().toList();
    return rows.stream()
        .filter(
            row -> {
              int turn = from + cases.indexOf(withoutWorld(row));
              TestWorld world = world(row);
              boolean isItsTurn = cases.size() == 1 || turn % 2 == 0;
              return !world.isOnSockets()
                  || isItsTurn && world == sockets.get(turn / 2 % sockets.size());
            })
        .map(Arguments::of);
  }

  private static TestWorld world(Object[] row) {
    return Arrays.stream(row)
        .filter(TestWorld.class::isInstance)
        .map(TestWorld.class::cast)
        .findFirst()
        .orElseThrow();
  }

  private static List<Object> withoutWorld(Object[] row) {
    return Arrays.stream(row).filter(each -> !(each instanceof TestWorld)).toList();
  }

  private static Stream<Object[]> rows(List<Object[]> parameters) {
    if (parameters.isEmpty()) {
      return Stream.<Object[]>of(new Object[0]);
    }
    Object[] last = parameters.getLast();
    return rows(parameters.subList(0, parameters.size() - 1))
        .flatMap(row -> Arrays.stream(last).map(value -> with(row, value)));
  }

  private static Object[] with(Object[] row, Object value) {
    Object[] longer = Arrays.copyOf(row, row.length + 1);
    longer[row.length] = value;
    return longer;
  }
}
