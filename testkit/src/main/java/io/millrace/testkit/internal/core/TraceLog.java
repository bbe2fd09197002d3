package io.millrace.testkit.internal.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What was added to a trace, event by event, to find where two runs of one seed part. Keeps the
 * first million; 40 bytes each. One thread at a time.
 */
public final class TraceLog {
  private static final int MOST = 1 << 20;
  private static final int CHUNK = 1 << 13;
  private static final int WORDS = 5;
  private static final double NS_PER_MS = 1e6;
  private static final int NODE_SHIFT = 32;
  private static final int LIFE_SHIFT = 40;
  private static final int NIC_BITS = 8;
  private static final int NODE_MASK = 0xFFFF;
  private static final TraceKind[] KINDS = TraceKind.values();

  private final List<long[]> chunks = new ArrayList<>();
  private int size;

  /** A log of nothing. */
  public TraceLog() {}

  /** Takes up an event, and the hash ahead of it. */
  void add(long stateBefore, TraceKind kind, long timeNs, long first, long second) {
    if (size == MOST) {
      return;
    }
    int at = size % CHUNK * WORDS;
    if (at == 0) {
      chunks.add(new long[CHUNK * WORDS]);
    }
    long[] chunk = chunks.getLast();
    chunk[at] = stateBefore;
    chunk[at + 1] = kind.ordinal();
    chunk[at + 2] = timeNs;
    chunk[at + 3] = first;
    chunk[at + 4] = second;
    size++;
  }

  /** How many events are kept. */
  public int size() {
    return size;
  }

  private long word(int event, int word) {
    return chunks.get(event / CHUNK)[event % CHUNK * WORDS + word];
  }

  private boolean isSame(int event, TraceLog other) {
    for (int word = 1; word < WORDS; word++) {
      if (word(event, word) != other.word(event, word)) {
        return false;
      }
    }
    return true;
  }

  /** The first event in which this differs from another, which has as many or more; or the size. */
  private int parting(TraceLog other) {
    int event = 0;
    while (event < Math.min(size, other.size) && word(event, 0) == other.word(event, 0)) {
      if (!isSame(event, other)) {
        return event;
      }
      event++;
    }
    // Other bytes show in the hash ahead of the event that follows them.
    boolean differInBytes = event > 0 && event < Math.min(size, other.size);
    return differInBytes ? event - 1 : event;
  }

  /**
   * Where the traces of two runs part.
   *
   * @return the number of the event, what it is in each of them, and what was before; null if what
   *     both kept is the same
   */
  public @Nullable Parting partingFrom(TraceLog other) {
    int at = parting(other);
    if (at == size && at == other.size) {
      return null;
    }
    int before = at - 1;
    while (before > 0 && KINDS[(int) word(before, 1)] == TraceKind.EVENT) {
      before--;
    }
    long timeNs = at < size ? word(at, 2) : other.word(at, 2);
    boolean differInBytes = at < size && at < other.size && isSame(at, other);
    return new Parting(
        at, timeNs, words(at), other.words(at), before < 0 ? "" : words(before), differInBytes);
  }

  /** An event for people: its kind, when it was, and at which node. */
  private String words(int event) {
    if (event >= size) {
      return size == MOST ? "what no log keeps any more" : "the end";
    }
    TraceKind kind = KINDS[(int) word(event, 1)];
    double ms = word(event, 2) / NS_PER_MS;
    String what = words(kind, word(event, 3), word(event, 4));
    return String.format(Locale.ROOT, "%s at %.6f ms%s", kind, ms, what);
  }

  private static String words(TraceKind kind, long first, long second) {
    return switch (kind) {
      case EVENT -> ", " + second + " to come";
      case TURN -> " of n" + (first >>> LIFE_SHIFT) + ", " + second + " tasks";
      case TIMER -> " of n" + (first >>> LIFE_SHIFT) + ", number " + second;
      case BOOT, CRASH, STOP, PAUSE, CLOCK -> " of n" + first + ", " + second;
      case PACKET, DELIVERY, LOSS, WRITE, LANDING, WRITE_END ->
          " from n"
              + (first >>> NODE_SHIFT & NODE_MASK)
              + " to n"
              + (first >>> NIC_BITS & NODE_MASK)
              + ", number "
              + second;
      case NOTE, VIOLATION -> ", " + first + ", " + second;
    };
  }

  /**
   * Where two traces part.
   *
   * @param event how many events both have in common
   * @param timeNs virtual time
   * @param first what comes next in one of them, for people
   * @param second what comes next in the other
   * @param before the last event before, if any, that is more than an event that came due
   * @param differInBytes whether the event is the same but for the bytes that it is about
   */
  public record Parting(
      int event, long timeNs, String first, String second, String before, boolean differInBytes) {
    @Override
    public String toString() {
      String after = before.isEmpty() ? "" : ", after " + before;
      return differInBytes
          ? "event " + event + " is about other bytes: " + first + after
          : "event " + event + " is " + first + " and " + second + after;
    }
  }
}
