package io.millrace.api.bulk;

import io.millrace.transfer.FileMention;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a file operation: one sentence with the file and the reason. A peer gets only the
 * last name of the file's path.
 */
final class FileFailure extends IOException implements FileMention {
  private static final long serialVersionUID = 1L;

  private final String file;

  private FileFailure(String before, Path file, String after, @Nullable IOException cause) {
    super(before + file + after, cause);
    this.file = file.toString();
  }

  /**
   * Returns an exception with which to fail a transfer.
   *
   * @param doing "read" or "write"
   * @param file the file under the application's name, not a temporary name
   */
  static FileFailure of(String doing, Path file, IOException cause) {
    return of(doing, file, reason(cause), cause);
  }

  /** Returns a failure with a reason and no cause. */
  static FileFailure of(String doing, Path file, String reason) {
    return of(doing, file, reason, null);
  }

  /** Returns a failure with a reason other than the cause's message. */
  static FileFailure of(String doing, Path file, String reason, @Nullable IOException cause) {
    return new FileFailure("cannot " + doing + " ", file, ": " + reason, cause);
  }

  /** Returns the failure of a read beyond the end of the file. */
  static FileFailure beyondEnd(Path file, long offset, long end) {
    return new FileFailure(
        "cannot read ", file, " from byte " + offset + ": it has " + end + " bytes", null);
  }

  /**
   * Returns the failure of a file with its final name in place, but without the device's
   * confirmation.
   */
  static UnforcedNameException unforced(Path file, IOException cause) {
    return new UnforcedNameException(file, reason(cause), cause);
  }

  @Override
  public String file() {
    return file;
  }

  private static String reason(IOException cause) {
    return switch (cause) {
      case NoSuchFileException e -> "no such file or directory";
      case AccessDeniedException e -> "permission denied";
      case FileAlreadyExistsException e -> "the file exists already";
      case ClosedByInterruptException e -> "the thread was interrupted";
      case ClosedChannelException e -> "the file was closed";
      case FileSystemException e when e.getReason() != null -> String.valueOf(e.getReason());
      default -> String.valueOf(cause.getMessage());
    };
  }
}
