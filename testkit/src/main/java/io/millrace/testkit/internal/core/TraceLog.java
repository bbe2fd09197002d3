package io.millrace.testkit.internal.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The additions to a trace, event by event, to find where two runs of one seed part. Keeps the
 * first million events; 40 bytes for each event. One thread at a time.
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

  /** Creates an empty log. */
  public TraceLog() {}

  /** Adds an event, and the hash ahead of this event. */
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

  /** Number of kept events. */
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

  /**
   * Returns the first event that differs from another log of the same length or more; the size
   * without a difference.
   */
  private int parting(TraceLog other) {
    int event = 0;
    while (event < Math.min(size, other.size) && word(event, 0) == other.word(event, 0)) {
      if (!isSame(event, other)) {
        return event;
      }
      event++;
    }
    // Other bytes show in the hash ahead of the following event.
    boolean differInBytes = event > 0 && event < Math.min(size, other.size);
    return differInBytes ? event - 1 : event;
  }

  /**
   * Finds where the traces of two runs part.
   *
   * @return the number of the event, its form in each run, and the event before; null if both logs
   *     are the same
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

  /** Describes an event for people: the kind, the time and the node of the event. */
  private String words(int event) {
    if (event >= size) {
      return size == MOST ? "an event beyond the log" : "the end";
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
   * The place where two traces part.
   *
   * @param event number of events that both traces have in common
   * @param timeNs virtual time
   * @param first the next event of the first trace, for people
   * @param second the next event of the second trace
   * @param before the last event before, apart from events that only came due; may be empty
   * @param differInBytes whether the event is the same but for its bytes
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
