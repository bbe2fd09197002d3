package io.millrace.actor.submission;

import java.util.concurrent.CompletionException;

/** What a failure of the application says of itself, for the other side and for people. */
public final class FailureText {
  private FailureText() {}

  /** Its message, or that of what a future wrapped; its name if it has no message. */
  public static String of(Throwable failure) {
    Throwable cause = failure.getCause();
    Throwable shown = failure instanceof CompletionException && cause != null ? cause : failure;
    String message = shown.getMessage();
    return message == null ? shown.toString() : message;
  }
}
