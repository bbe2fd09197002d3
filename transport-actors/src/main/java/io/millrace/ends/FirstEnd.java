package io.millrace.ends;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the end of a stage of an application, which may call back more than once in spite of its
 * contract: the first end is passed on. Any thread.
 *
 * @param <T> the result of the stage
 */
public final class FirstEnd<T> implements BiConsumer<@Nullable T, @Nullable Throwable> {
  private static final Object NOTHING = new Object();

  private final BiConsumer<@Nullable T, @Nullable Throwable> ending;
  private final Consumer<@Nullable T> surplus;
  private final AtomicReference<@Nullable Object> first = new AtomicReference<>();

  /**
   * Creates the listener before any end.
   *
   * @param ending the first end
   * @param surplus each further end: null, or a value that differs from the first and that nobody
   *     has
   */
  public FirstEnd(
      BiConsumer<@Nullable T, @Nullable Throwable> ending, Consumer<@Nullable T> surplus) {
    this.ending = ending;
    this.surplus = surplus;
  }

  @Override
  public void accept(@Nullable T value, @Nullable Throwable failure) {
    if (first.compareAndSet(null, value == null ? NOTHING : value)) {
      ending.accept(value, failure);
    } else {
      surplus.accept(first.get() == value ? null : value);
    }
  }
}
