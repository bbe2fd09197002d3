package io.millrace.ends;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The steps of an end, each of which is due though another one throws. Any thread. */
public final class AllSteps {
  private AllSteps() {}

  /**
   * Takes the steps in their order.
   *
   * @throws IllegalStateException if some threw, with the first that was thrown; others are its
   *     suppressed ones
   */
  public static void run(Runnable... steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      first = take(step, first);
    }
    rethrow(first);
  }

  /** The same with one step for each of these. */
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
