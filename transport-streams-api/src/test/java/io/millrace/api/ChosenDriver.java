package io.millrace.api;

import io.millrace.testkit.Repetitions;
import java.util.List;
import java.util.stream.Stream;

/**
 * The UDP driver for tests of whole processes, which take long. The commit tier runs one of the two
 * drivers, chosen by the commit; the soak runs both drivers.
 */
final class ChosenDriver {
  private ChosenDriver() {}

  static Stream<String> names() {
    return Repetitions.chosen(1, List.of("udp", "udp-nio"));
  }
}
