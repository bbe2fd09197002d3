package io.millrace.api;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Every combination of what the parameters of a test may be. */
final class Combinations {
  private Combinations() {}

  /** One value of each, the last parameter's values in turn first. */
  static Stream<Arguments> of(Object[]... parameters) {
    return rows(List.of(parameters)).map(Arguments::of);
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
