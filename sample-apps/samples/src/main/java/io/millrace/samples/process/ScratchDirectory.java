package io.millrace.samples.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for the time of a run; closing removes the directory with all its files.
 *
 * @param path the path of the directory
 */
public record ScratchDirectory(Path path) implements AutoCloseable {
  /** Makes a directory among the system's temporary files. */
  public static ScratchDirectory create(String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(prefix));
  }

  /** Makes a directory in another directory. */
  public static ScratchDirectory createIn(Path parent, String prefix) throws IOException {
    return new ScratchDirectory(Files.createTempDirectory(parent, prefix));
  }

  /**
   * Removes the directory; a second call does nothing.
   *
   * @throws IOException if a file cannot be removed; some files may be left
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
