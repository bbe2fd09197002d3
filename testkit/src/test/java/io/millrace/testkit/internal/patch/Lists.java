package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Objects;

/** Where classes come from, and what is known about their calls. */
final class Lists {
  private Lists() {}

  /** The jar or folder that a class was loaded from. */
  static Path location(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Fails with a line for each call that the list does not know and each line that it wastes. */
  static void assertKnown(String list, ClassScan scan) throws IOException {
    try (InputStream input = Lists.class.getResourceAsStream(list)) {
      KnownCalls known = KnownCalls.read(Objects.requireNonNull(input, list));
      assertEquals("", String.join("\n", scan.problems(known)), list);
    }
  }
}
