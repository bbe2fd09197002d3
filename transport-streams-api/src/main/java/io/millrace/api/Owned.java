package io.millrace.api;

import io.millrace.body.SharedPayload;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Hands the source, target or sealed payload of a method over to the transfer that the method
 * begins. If no transfer begins, because an argument is wrong, the source is closed, the target
 * aborted or the payload released here.
 */
final class Owned {
  private Owned() {}

  /**
   * Begins a transfer that closes the source; if the begin fails, closes the source here and
   * throws.
   */
  static <T> T giving(BodySource source, Supplier<T> beginning) {
    Objects.requireNonNull(source, "source");
    try {
      return beginning.get();
    } catch (RuntimeException | Error e) {
      end(source::close, e);
      throw e;
    }
  }

  /**
   * Begins a transfer that completes or aborts the target; if the begin fails, aborts the target
   * here and throws.
   */
  static <T> T giving(BodyTarget target, Supplier<T> beginning) {
    Objects.requireNonNull(target, "target");
    try {
      return beginning.get();
    } catch (RuntimeException | Error e) {
      end(() -> target.abort(e), e);
      throw e;
    }
  }

  /**
   * Makes a call that takes over a hold of the payload; if there is no call, releases the hold here
   * and throws.
   *
   * @throws IllegalStateException if the payload was closed
   */
  static <T> T giving(SealedPayload payload, Function<SharedPayload, T> call) {
    SharedPayload held = payload.retain(1);
    try {
      return call.apply(held);
    } catch (RuntimeException | Error e) {
      end(held::release, e);
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
