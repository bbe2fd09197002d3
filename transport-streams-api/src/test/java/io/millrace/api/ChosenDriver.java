package io.millrace.api;

import io.millrace.testkit.Repetitions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The UDP driver for tests of whole processes, which take long: the commit decides which of the two
 * the commit tier runs, and the soak runs both.
 */
final class ChosenDriver {
  private ChosenDriver() {}

  static Stream<String> names() {
    return Repetitions.chosen(1, List.of("udp", "udp-nio"));
  }
}
