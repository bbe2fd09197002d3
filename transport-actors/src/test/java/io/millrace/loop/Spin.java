package io.millrace.loop;

import java.util.function.BooleanSupplier;

/** Waiting without sleeping; a test's timeout can end the wait. */
final class Spin {
  private Spin() {}

  static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while waiting");
      }
      Thread.onSpinWait();
    }
  }
}
