package io.millrace.api;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.util.function.Supplier;

/**
 * Hands what a method was given over to what it begins: if it begins nothing, because an argument
 * is wrong, what was given is given back all the same.
 */
final class Owned {
  private Owned() {}

  /** Begins something that closes the source, or closes it here and throws. */
  static <T> T giving(BodySource source, Supplier<T> beginning) {
    try {
      return beginning.get();
    } catch (RuntimeException | Error e) {
      end(source::close, e);
      throw e;
    }
  }

  /** Begins something that completes or aborts the target, or aborts it here and throws. */
  static <T> T giving(BodyTarget target, Supplier<T> beginning) {
    try {
      return beginning.get();
    } catch (RuntimeException | Error e) {
      end(() -> target.abort(e), e);
      throw e;
    }
  }

  private static void end(Runnable ending, Throwable reason) {
    try {
      ending.run();
    } catch (RuntimeException | Error e) {
      reason.addSuppressed(e);
    }
  }
}
