package io.millrace.body;

import io.millrace.crypto.DataKeyNames;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The latest data keys retired by peers, for holders of key schedules that are busy now. Each
 * reader remembers how far the reader has come. A reader more than {@value #KEPT} keys behind
 * misses some keys and forgets these keys later by itself. Any thread; lock-free.
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

  /**
   * Gives the keys behind the first {@code seen} to the reader, and returns the number of all keys
   * by now.
   */
  long forEachAfter(long seen, Consumer<DataKeyNames.Name> reader) {
    long end = next.get();
    for (long number = Math.max(seen, end - KEPT); number < end; number++) {
      Entry entry = ring.get(slot(number));
      if (entry == null || entry.number < number) {
        // The writer of this entry is about to set the entry.
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
