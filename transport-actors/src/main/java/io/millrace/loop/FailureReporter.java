package io.millrace.loop;

/** Hands uncaught failures to a handler, and outlives a handler that throws. Any thread. */
final class FailureReporter {
  private final Thread.UncaughtExceptionHandler handler;

  FailureReporter(Thread.UncaughtExceptionHandler handler) {
    this.handler = handler;
  }

  void report(Throwable failure) {
    try {
      handler.uncaughtException(Thread.currentThread(), failure);
    } catch (Throwable ignored) {
      // Nobody is left to tell; the loop goes on.
    }
  }
}
