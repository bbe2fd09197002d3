package io.millrace.protocol.schedule;

/**
 * Decides which timers of a worker are due: a hashed wheel with a slot for each tick of the current
 * rotation and a list for each later rotation.
 *
 * <p>A worker has a single wheel, owned and called by the worker's thread only; time comes in with
 * {@link #advance}. A deadline is rounded up to a whole tick, so a timer fires up to a tick late
 * and never early. Timers fire in the order of their ticks and, within a tick, of the schedule
 * calls; a deadline that has already passed counts as the current tick and fires at the next {@code
 * advance}. Scheduling, moving and cancelling cost O(1); moving a timer to a later deadline only
 * stores the deadline, and the timer changes its place when the wheel next comes across the timer.
 * Allocates once, when the first timer is set for later than now: the lists of a wheel that nobody
 * uses take 36 bytes a slot.
 *
 * <p>A process knows no other class of wheels, so calls to the wheel are direct; the simulator
 * extends this class to see which timers are set and fire.
 */
public class TimingWheel {
  /** Default tick: the power of two below the 50 us that the seed's figures suggest. */
  public static final long DEFAULT_TICK_NS = 1L << 15;

  /** Default slots: a rotation of 134 ms at the default tick. */
  public static final int DEFAULT_SLOTS = 4096;

  /** A tick must be shorter than this, ns. */
  public static final long TICK_LIMIT_NS = 1_000_000;

  private static final int ROTATION_LISTS = 64;
  private static final int MAX_SLOTS = 1 << 16;
  private static final long NONE = Long.MAX_VALUE;
  private static final TimerList[] UNUSED = {};

  private final int tickShift;
  private final int slotShift;
  private final long slotMask;

  /**
   * Timers of the current rotation, by tick modulo the number of slots; then later rotations. The
   * wheel looks at a list only where the list's bit is set, so that {@link #UNUSED} needs no lists.
   */
  private TimerList[] lists = UNUSED;

  private final long[] slotBits;
  private long rotationBits;

  /** Timers of a slot on their way to {@link #due}. */
  private final TimerList batch = new TimerList(-1);

  /** Timers whose tick has come, in firing order. */
  private final TimerList due = new TimerList(-1);

  private long currentTick;
  private long rotation;
  private long nextOrder;
  private int scheduled;
  private boolean isAdvancing;

  /** The earliest tick of all timers, {@link #NONE} without any; only while known to be exact. */
  private long earliestTick = NONE;

  private boolean isEarliestKnown = true;

  /**
   * Makes an empty wheel.
   *
   * @param tickNs a power of two below {@link #TICK_LIMIT_NS}
   * @param slots a power of two from 64 to 65,536
   * @param startNs the time now
   * @throws IllegalArgumentException if a value is out of range; the message names the value
   */
  public TimingWheel(long tickNs, int slots, long startNs) {
    if (tickNs >= TICK_LIMIT_NS || Long.bitCount(tickNs) != 1 || tickNs < 0) {
      throw new IllegalArgumentException("tickNs must be a power of two below 1 ms: " + tickNs);
    }
    if (slots < Long.SIZE || slots > MAX_SLOTS || Integer.bitCount(slots) != 1) {
      throw new IllegalArgumentException("slots must be a power of two in 64..65536: " + slots);
    }
    tickShift = Long.numberOfTrailingZeros(tickNs);
    slotShift = Integer.numberOfTrailingZeros(slots);
    slotMask = slots - 1L;
    slotBits = new long[slots / Long.SIZE];
    currentTick = startNs >> tickShift;
    rotation = currentTick >> slotShift;
  }

  /**
   * Sets a timer to a deadline, whether or not the timer was scheduled before. The time {@link
   * Long#MAX_VALUE} cancels the timer.
   */
  public void schedule(Timer timer, long deadlineNs) {
    if (deadlineNs == NONE) {
      cancel(timer);
      return;
    }
    final long tick = Math.max(tickOf(deadlineNs), currentTick);
    final TimerList list = timer.list;
    if (list != null && timer.tick <= earliestTick) {
      isEarliestKnown = false;
    }
    timer.deadlineNs = deadlineNs;
    timer.tick = tick;
    timer.order = nextOrder++;
    if (list == null) {
      scheduled++;
      link(timer);
    } else if (list == due || tick < timer.linkedTick) {
      unlink(timer, list);
      link(timer);
    }
    if (tick < earliestTick) {
      earliestTick = tick;
    }
    assert invariantsHold();
  }

  /** Takes a timer out; does nothing without a schedule. */
  public void cancel(Timer timer) {
    final TimerList list = timer.list;
    if (list == null) {
      return;
    }
    unlink(timer, list);
    scheduled--;
    if (timer.tick <= earliestTick) {
      isEarliestKnown = false;
    }
    assert invariantsHold();
  }

  /** {@link #advance(long, int)} without a limit. */
  public int advance(long nowNs) {
    return advance(nowNs, Integer.MAX_VALUE);
  }

  /**
   * Moves the time on and fires the due timers, each timer once. A timer that a handler schedules
   * fires at the next call at the earliest. Timers beyond the limit stay due. If a handler throws,
   * its timer counts as fired and the rest stays due.
   *
   * @param nowNs the time now; an earlier time than the last counts as the last
   * @param limit how many timers to fire at most
   * @return how many fired
   */
  public int advance(long nowNs, int limit) {
    final long nowTick = nowNs >> tickShift;
    if (nowTick > currentTick) {
      collect(nowTick);
    }
    return due.isEmpty() ? 0 : fire(nowNs, limit);
  }

  /**
   * The start of the earliest tick with a timer, ns: the time when {@link #advance} will next fire
   * a timer. This time lies in the past while timers are due, and is {@link Long#MAX_VALUE} without
   * any timer.
   */
  public long nextDeadlineNs() {
    if (!isEarliestKnown) {
      earliestTick = findEarliest();
      isEarliestKnown = true;
    }
    return earliestTick == NONE ? NONE : earliestTick << tickShift;
  }

  /** The time of the last {@link #advance}, or of the start, down to a whole tick, ns. */
  public long timeNs() {
    return currentTick << tickShift;
  }

  /** Number of scheduled timers. */
  public int scheduledTimers() {
    return scheduled;
  }

  /** Length of a tick, ns. */
  public long tickNs() {
    return 1L << tickShift;
  }

  private long tickOf(long deadlineNs) {
    final long floor = deadlineNs >> tickShift;
    final boolean isWhole = floor << tickShift == deadlineNs;
    return Math.min(isWhole ? floor : floor + 1, NONE >> tickShift);
  }

  private int fire(long nowNs, int limit) {
    assert !isAdvancing : "advance called by a handler";
    final long orderLimit = nextOrder;
    int fired = 0;
    isAdvancing = true;
    isEarliestKnown = false;
    try {
      while (fired < limit) {
        final Timer timer = due.head;
        if (timer == null || timer.order >= orderLimit) {
          break;
        }
        assert timer.deadlineNs <= nowNs : "a timer fires before its deadline";
        due.remove(timer);
        scheduled--;
        fired++;
        onDue(timer, nowNs);
      }
    } finally {
      isAdvancing = false;
      isEarliestKnown = false;
    }
    assert invariantsHold();
    return fired;
  }

  /** A timer fires and is no longer scheduled. */
  protected void onDue(Timer timer, long nowNs) {
    timer.fire(nowNs);
  }

  private void link(Timer timer) {
    final long tick = timer.tick;
    timer.linkedTick = tick;
    if (tick <= currentTick) {
      due.append(timer);
      return;
    }
    if (lists.length == 0) {
      lists = newLists();
    }
    final long timerRotation = tick >> slotShift;
    if (timerRotation == rotation) {
      final int slot = (int) (tick & slotMask);
      slotBits[slot >> 6] |= 1L << slot;
      lists[slot].append(timer);
    } else {
      rotationBits |= 1L << timerRotation;
      lists[rotationIndex(timerRotation)].append(timer);
    }
  }

  private TimerList[] newLists() {
    final TimerList[] made = new TimerList[(int) slotMask + 1 + ROTATION_LISTS];
    for (int i = 0; i < made.length; i++) {
      made[i] = new TimerList(i);
    }
    return made;
  }

  private void unlink(Timer timer, TimerList list) {
    list.remove(timer);
    if (list.isEmpty() && list != due) {
      clearBit(list.index);
    }
  }

  private void clearBit(int index) {
    if (index <= slotMask) {
      slotBits[index >> 6] &= ~(1L << index);
    } else {
      rotationBits &= ~(1L << (index - (int) slotMask - 1));
    }
  }

  private int rotationIndex(long anyRotation) {
    return (int) slotMask + 1 + (int) (anyRotation & (ROTATION_LISTS - 1));
  }

  /** Moves all timers up to a tick to the due list, rotation by rotation. */
  private void collect(long nowTick) {
    final long lastRotation = nowTick >> slotShift;
    collectSlots(Math.min(nowTick, lastTick()));
    while (rotation < lastRotation) {
      rotation = Math.min(findEarliestOfLaterRotations() >> slotShift, lastRotation);
      currentTick = (rotation << slotShift) - 1;
      if (rotationBits != 0) {
        relinkAll(lists[rotationIndex(rotation)]);
      }
      collectSlots(Math.min(nowTick, lastTick()));
    }
    currentTick = nowTick;
  }

  private long lastTick() {
    return (rotation << slotShift) | slotMask;
  }

  private void collectSlots(long lastTick) {
    long tick = nextOccupiedTick(currentTick + 1, lastTick);
    while (tick != NONE) {
      currentTick = tick;
      collectSlot(lists[(int) (tick & slotMask)]);
      tick = nextOccupiedTick(tick + 1, lastTick);
    }
    currentTick = lastTick;
  }

  private void collectSlot(TimerList slot) {
    clearBit(slot.index);
    Timer timer = slot.takeAll();
    while (timer != null) {
      final Timer following = timer.next;
      if (timer.tick <= currentTick) {
        batch.append(timer);
      } else {
        link(timer);
      }
      timer = following;
    }
    batch.sort();
    timer = batch.takeAll();
    while (timer != null) {
      final Timer following = timer.next;
      due.append(timer);
      timer = following;
    }
  }

  /** The first tick within the current rotation whose slot is not empty, or {@link #NONE}. */
  private long nextOccupiedTick(long fromTick, long lastTick) {
    long tick = fromTick;
    while (tick <= lastTick) {
      final long word = slotBits[(int) (tick & slotMask) >> 6] >>> tick;
      if (word != 0) {
        tick += Long.numberOfTrailingZeros(word);
        return tick <= lastTick ? tick : NONE;
      }
      tick = (tick | (Long.SIZE - 1)) + 1;
    }
    return NONE;
  }

  /** Gives every timer of a list the place of its present tick. */
  private void relinkAll(TimerList list) {
    if (list.isEmpty()) {
      return;
    }
    clearBit(list.index);
    Timer timer = list.takeAll();
    while (timer != null) {
      final Timer following = timer.next;
      link(timer);
      timer = following;
    }
  }

  private long findEarliest() {
    if (!due.isEmpty()) {
      return currentTick;
    }
    final long lastTick = lastTick();
    long tick = nextOccupiedTick(currentTick + 1, lastTick);
    while (tick != NONE) {
      final TimerList slot = lists[(int) (tick & slotMask)];
      if (earliestOf(slot, tick) == tick) {
        return tick;
      }
      relinkAll(slot);
      tick = nextOccupiedTick(tick + 1, lastTick);
    }
    return findEarliestOfLaterRotations();
  }

  private long findEarliestOfLaterRotations() {
    long earliest = NONE;
    for (int i = 1; i <= ROTATION_LISTS && rotationBits != 0; i++) {
      final long candidate = rotation + i;
      final TimerList list = lists[rotationIndex(candidate)];
      if (!list.isEmpty()) {
        // Before timers go to their proper lists, which the search may have passed already.
        earliest = Math.min(earliest, earliestOf(list, candidate << slotShift));
        relinkAll(list);
      }
      if (earliest >> slotShift <= candidate) {
        break;
      }
    }
    return earliest;
  }

  /** The earliest tick in a list; stops early at {@code bound}, the lower bound of all ticks. */
  private static long earliestOf(TimerList list, long bound) {
    long earliest = NONE;
    for (Timer timer = list.head; timer != null; timer = timer.next) {
      earliest = Math.min(earliest, timer.tick);
      if (earliest == bound) {
        break;
      }
    }
    return earliest;
  }

  private boolean invariantsHold() {
    final boolean isCurrent = rotation == currentTick >> slotShift;
    final boolean isEarliestSane = !isEarliestKnown || (earliestTick == NONE) == (scheduled == 0);
    return isCurrent && isEarliestSane && scheduled >= 0 && batch.isEmpty();
  }
}
