package io.millrace.body;

import io.millrace.crypto.DataKeyNames;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last data keys that peers have retired, for whoever keeps schedules and is busy now: each
 * reader remembers how far it has come. One that lags by more than {@value #KEPT} misses some and
 * forgets those keys later by itself. Any thread; lock-free.
 */
final class RetiredKeys {
  static final int KEPT = 1_024;

  private final AtomicReferenceArray<@Nullable Entry> ring = new AtomicReferenceArray<>(KEPT);
  private final AtomicLong next = new AtomicLong();

  private record Entry(long number, DataKeyNames.Name name) {}

  void add(DataKeyNames.Name name) {
    long number = next.getAndIncrement();
    ring.set(slot(number), new Entry(number, name));
  }

  /** Gives those behind the first {@code seen}, and returns how many there are now in all. */
  long forEachAfter(long seen, Consumer<DataKeyNames.Name> reader) {
    long end = next.get();
    for (long number = Math.max(seen, end - KEPT); number < end; number++) {
      Entry entry = ring.get(slot(number));
      if (entry == null || entry.number < number) {
        // Its writer is about to set it.
        return number;
      }
      reader.accept(entry.name);
    }
    return end;
  }

  private static int slot(long number) {
    return (int) number & KEPT - 1;
  }
}
