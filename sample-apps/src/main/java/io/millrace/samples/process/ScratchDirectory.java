package io.millrace.samples.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for as long as something runs; closing removes it with all that is in it.
 *
 * @param path where it is
 */
public record ScratchDirectory(Path path) implements AutoCloseable {
  /** Makes one where the system keeps temporary files. */
  public static ScratchDirectory create(String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(prefix));
  }

  /** Makes one in another directory. */
  public static ScratchDirectory createIn(Path parent, String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(parent, prefix));
  }

  /**
   * Removes it; the second time does nothing.
   *
   * @throws IOException if something in it cannot be removed; some of it may be left
   */
  @Override
  public void close() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
