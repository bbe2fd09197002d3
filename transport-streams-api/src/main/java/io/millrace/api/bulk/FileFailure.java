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

/** Says in one sentence what went wrong with which file; a peer reads its last name only. */
final class FileFailure extends IOException implements FileMention {
  private static final long serialVersionUID = 1L;

  private final String file;

  private FileFailure(String before, Path file, String after, @Nullable IOException cause) {
    super(before + file + after, cause);
    this.file = file.toString();
  }

  /**
   * An exception to fail a transfer with.
   *
   * @param doing "read" or "write"
   * @param file as the application knows it, not a temporary name
   */
  static FileFailure of(String doing, Path file, IOException cause) {
    return of(doing, file, reason(cause), cause);
  }

  /** Nothing but the reason is known. */
  static FileFailure of(String doing, Path file, String reason) {
    return of(doing, file, reason, null);
  }

  /** The reason is not what the cause says. */
  static FileFailure of(String doing, Path file, String reason, @Nullable IOException cause) {
    return new FileFailure("cannot " + doing + " ", file, ": " + reason, cause);
  }

  /** The file is shorter than what was asked of it. */
  static FileFailure beyondEnd(Path file, long offset, long end) {
    return new FileFailure(
        "cannot read ", file, " from byte " + offset + ": it has " + end + " bytes", null);
  }

  /** The file has its name, and that is all that can be said. */
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
      case FileAlreadyExistsException e -> "it exists already";
      case ClosedByInterruptException e -> "its thread was interrupted";
      case ClosedChannelException e -> "it was closed";
      case FileSystemException e when e.getReason() != null -> String.valueOf(e.getReason());
      default -> String.valueOf(cause.getMessage());
    };
  }
}
