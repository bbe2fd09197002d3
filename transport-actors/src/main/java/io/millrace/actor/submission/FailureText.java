package io.millrace.actor.submission;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a failure of the application says of itself, for the other side and for people. */
public final class FailureText {
  private FailureText() {}

  /**
   * Its message, or that of what a future wrapped; its name if it has no message. Of a file only
   * the last name is told: where it lies is nobody else's affair.
   */
  public static String of(Throwable failure) {
    Throwable shown = cause(failure);
    if (shown instanceof FileSystemException file) {
      return problem(file) + ": " + lastName(file.getFile());
    }
    try {
      String message = shown.getMessage();
      return message == null ? shown.toString() : message;
    } catch (RuntimeException e) { // an application's failure may not even say what it is
      return shown.getClass().getName();
    }
  }

  /** What failed, without what a future wrapped around it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  private static String problem(FileSystemException failure) {
    String reason = failure.getReason();
    if (reason != null) {
      return reason;
    }
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "access was denied";
      case FileAlreadyExistsException _ -> "the file exists already";
      default -> "the file system refused";
    };
  }

  private static String lastName(@Nullable String file) {
    Path name = file == null ? null : Path.of(file).getFileName();
    return name == null ? "a file" : name.toString();
  }
}
