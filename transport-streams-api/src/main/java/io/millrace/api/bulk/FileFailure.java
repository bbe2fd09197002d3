package io.millrace.api.bulk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says in one sentence what went wrong with which file. */
final class FileFailure {
  private FileFailure() {}

  /**
   * An exception to fail a transfer with.
   *
   * @param doing "read" or "write"
   * @param file as the application knows it, not a temporary name
   */
  static IOException of(String doing, Path file, IOException cause) {
    return new IOException("cannot " + doing + " " + file + ": " + reason(cause), cause);
  }

  /** The file has its name, and that is all that can be said. */
  static UnforcedNameException unforced(Path file, IOException cause) {
    return new UnforcedNameException(
        file + " is in place, but perhaps not on the device: " + reason(cause), cause);
  }

  private static String reason(IOException cause) {
    return switch (cause) {
      case NoSuchFileException e -> "no such file or directory";
      case AccessDeniedException e -> "permission denied";
      case FileAlreadyExistsException e -> "it exists already";
      case ClosedByInterruptException e -> "its thread was interrupted";
      case ClosedChannelException e -> "it was closed";
      case FileSystemException e when e.getReason() != null -> String.valueOf(e.getReason());
      default -> String.valueOf(cause.getMessage());
    };
  }
}
