package io.millrace.ends;

import io.millrace.transfer.FileMention;
import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The text of an application's failure, for the other side and for people. */
public final class FailureText {
  /** How many causes are looked through for paths; a chain may bite its tail. */
  private static final int MOST_CAUSES = 16;

  private FailureText() {}

  /**
   * The failure's message, or the message of the failure inside a future's wrapper; the failure's
   * name without a message. A file that the failure or a cause names appears with its last name
   * only: the file's directory concerns no other node.
   */
  public static String of(Throwable failure) {
    Throwable shown = failure;
    try {
      shown = cause(failure);
      if (shown instanceof FileSystemException file) {
        return problem(file) + ": " + lastName(file.getFile());
      }
      String message = shown.getMessage();
      return withoutPaths(message == null ? shown.toString() : message, shown);
    } catch (RuntimeException | Error e) { // an application's failure may not say its message
      return shown.getClass().getName();
    }
  }

  /** The failure itself, without the wrapper of a future. */
  public static Throwable cause(Throwable failure) {
    // Nothing else is asked: an application's failure may throw on a question.
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
    return cause == null ? failure : cause;
  }

  private static String withoutPaths(String message, Throwable shown) {
    String text = message;
    Throwable cause = shown;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
      text =
          switch (cause) {
            case FileMention mention -> withoutPath(text, mention.file());
            case FileSystemException file ->
                withoutPath(withoutPath(text, file.getFile()), file.getOtherFile());
            case FileNotFoundException file -> withoutPath(text, opened(file));
            default -> text;
          };
      cause = cause.getCause();
    }
    return text;
  }

  private static String withoutPath(String text, @Nullable String file) {
    Path name = file == null ? null : Path.of(file).getFileName();
    return name == null || file == null || file.isEmpty() || file.equals(name.toString())
        ? text
        : text.replace(file, name.toString());
  }

  /**
   * The file that java.io could not open: the message has the path and then, in parentheses, the
   * reason.
   */
  private static @Nullable String opened(FileNotFoundException failure) {
    String message = failure.getMessage();
    int end = message == null ? -1 : message.lastIndexOf(" (");
    return message == null || end < 0 ? message : message.substring(0, end);
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
