package io.millrace.ends;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an end, each of which is due even after an exception of another step. Any thread.
 */
public final class AllSteps {
  private AllSteps() {}

  /**
   * Takes the steps in their order.
   *
   * @throws IllegalStateException if some steps threw, with the first exception as the cause;
   *     further exceptions are suppressed exceptions of the first
   */
  public static void run(Runnable... steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      first = take(step, first);
    }
    rethrow(first);
  }

  /** Takes a step for each of these elements. */
  public static <T> void forEach(Iterable<? extends T> all, Consumer<? super T> step) {
    Throwable first = null;
    for (T each : all) {
      first = take(() -> step.accept(each), first);
    }
    rethrow(first);
  }

  private static @Nullable Throwable take(Runnable step, @Nullable Throwable first) {
    try {
      step.run();
      return first;
    } catch (RuntimeException | Error e) {
      if (first != null && first != e) {
        first.addSuppressed(e);
      }
      return first == null ? e : first;
    }
  }

  private static void rethrow(@Nullable Throwable first) {
    if (first != null) {
      throw new IllegalStateException("a step of an end threw", first);
    }
  }
}
