package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Makes a change of names survive a crash of the machine. The directory is opened ahead of the
 * change, so a failed open fails the change itself and not the later steps.
 */
final class NameForcing implements AutoCloseable {
  private final FileChannel directory;

  /** Owns the channel of the directory. */
  NameForcing(FileChannel directory) {
    this.directory = directory;
  }

  /** Opens a directory; tests have other openers. */
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
      // the channel wrote no bytes, so no bytes can be lost
    }
  }
}
