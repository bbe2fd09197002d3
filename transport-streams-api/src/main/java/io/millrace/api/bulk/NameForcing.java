package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes a change of names survive a crash of the machine. The directory is opened ahead of the
 * change, so that one that cannot be opened fails it and not what follows it.
 */
final class NameForcing implements AutoCloseable {
  private final FileChannel directory;

  /** Owns the channel. */
  NameForcing(FileChannel directory) {
    this.directory = directory;
  }

  /** How a directory is opened; tests have others. */
  @FunctionalInterface
  interface Opener {
    NameForcing open(Path directory) throws IOException;
  }

  static NameForcing open(Path directory) throws IOException {
    return new NameForcing(FileChannel.open(directory, StandardOpenOption.READ));
  }

  void force() throws IOException {
    directory.force(true);
  }

  @Override
  public void close() {
    try {
      directory.close();
    } catch (IOException e) {
      // nothing was written through it, so nothing can be lost
    }
  }
}
