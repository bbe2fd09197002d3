package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** The locations of classes, and the known calls of these classes. */
final class Lists {
  private Lists() {}

  /** Returns the jar or folder of a class. */
  static Path location(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /**
   * Fails with a line for each call that the list does not know and each useless line of the list.
   */
  static void assertKnown(String list, ClassScan scan) throws IOException {
    try (InputStream input = Lists.class.getResourceAsStream(list)) {
      KnownCalls known = KnownCalls.read(Objects.requireNonNull(input, list));
      assertEquals("", String.join("\n", scan.problems(known)), list);
    }
  }
}
