package io.millrace.samples.cli;

import io.millrace.config.SettingsException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Turns any failure of a command into one line without a stack trace. */
final class Sentence {
  private Sentence() {}

  /** Returns a line for a person. */
  static String of(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    String text =
        switch (cause) {
          case NoSuchFileException e -> "cannot read '" + e.getFile() + "': there is no such file";
          case AccessDeniedException e -> "cannot read '" + e.getFile() + "': permission denied";
          case FileSystemException e -> "cannot read '" + e.getFile() + "': " + e.getReason();
          case TimeoutException e -> "timed out" + suffix(e.getMessage());
          case InterruptedException _ -> "interrupted";
          default -> plain(cause);
        };
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /** Wrong settings are the user's argument; everything else is a run that failed. */
  static int exitCode(Throwable thrown) {
    return switch (unwrapped(thrown)) {
      case CommandException e -> e.exitCode();
      case SettingsException _ -> ExitCode.BAD_ARGUMENT;
      default -> ExitCode.FAILED;
    };
  }

  private static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    while (isWrapper(cause) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof CompletionException
        || thrown instanceof ExecutionException
        || thrown instanceof UncheckedIOException;
  }

  private static String plain(Throwable cause) {
    String message = cause.getMessage();
    boolean ours =
        cause.getClass().getName().startsWith("io.millrace.")
            || cause instanceof CommandLine.ParameterException;
    if (message == null || message.isBlank()) {
      return cause.getClass().getSimpleName();
    }
    return ours ? message : message + " (" + cause.getClass().getSimpleName() + ")";
  }

  private static String suffix(@Nullable String message) {
    return message == null || message.isBlank() ? "" : ": " + message;
  }
}
