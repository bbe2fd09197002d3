package io.millrace.ends;

import io.millrace.config.WaitingSettings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room where submissions of a node wait: for the ring of their worker, or for the completion of
 * their future. The node bounds the room. Each worker has a {@link WaitingLine} in the room, so a
 * submission with a full ring holds back no submission to another worker. Any thread; no lock.
 */
public final class WaitingRoom {
  /** Arrivals take the bits of an order below this number, priorities the bits above. */
  private static final int ARRIVAL_BITS = 60;

  private static final long ARRIVALS = (1L << ARRIVAL_BITS) - 1;

  private final int limit;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong arrivals = new AtomicLong();

  private final AdmissionTurns turns;
  private final int leastPercent;

  /** The number of submissions that have left for their worker. */
  private final AtomicLong turn = new AtomicLong();

  /** A room without a least part of the turns for each priority. */
  public WaitingRoom(int limit) {
    this(limit, 0);
  }

  /**
   * A room.
   *
   * @param limit the most submissions; 0 for a room in which no submission ever waits
   * @param leastPercent the part of the turns that each priority has at least
   */
  public WaitingRoom(int limit, int leastPercent) {
    this.limit = limit;
    this.leastPercent = leastPercent;
    turns = new AdmissionTurns(leastPercent);
  }

  /** A room with these bounds. */
  public static WaitingRoom of(WaitingSettings settings) {
    return new WaitingRoom(settings.submissions(), settings.admissionMinimum());
  }

  /** Waiting submissions; any thread. */
  public int waiting() {
    return held.get();
  }

  boolean isEmpty() {
    return held.get() == 0;
  }

  /** Whether anything may wait at all. */
  boolean isOpen() {
    return limit > 0;
  }

  /** Takes room for a submission; false without room. */
  boolean enter() {
    if (held.incrementAndGet() > limit) {
      held.decrementAndGet();
      return false;
    }
    return true;
  }

  /** A submission does not wait any more. */
  void leave() {
    held.decrementAndGet();
  }

  /** The priority that goes first in the present turn; 0 for the most urgent priority. */
  int firstLevel() {
    return turns.first(turn.get());
  }

  /** A waiting submission goes to its worker: the next turn begins. */
  void endTurn() {
    turn.getAndIncrement();
  }

  /**
   * The submissions of a priority that a turn of a worker takes at least, if as many wait.
   *
   * @param limit the most submissions of the turn
   */
  int leastOf(int limit) {
    return leastPercent == 0 || limit == 0 ? 0 : Math.max(1, limit * leastPercent / 100);
  }

  /** The order among all lines in the present turn: the priority whose turn it is goes first. */
  long orderNow(long order) {
    int first = firstLevel();
    return first != 0 && order != CompletionPlaces.NOBODY && order >> ARRIVAL_BITS == first
        ? order & ARRIVALS
        : order;
  }

  /** The order of a submission that comes now: smaller orders go first. */
  long order(int priority) {
    return (long) priority << ARRIVAL_BITS | arrivals.getAndIncrement();
  }
}
