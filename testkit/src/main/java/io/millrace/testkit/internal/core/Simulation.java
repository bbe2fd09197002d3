package io.millrace.testkit.internal.core;

import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One run: virtual time, the events to come, the hash of all events, and the first broken rule. The
 * whole run is a function of the seed and of the scenario's code.
 *
 * <p>Made, used and closed on one {@link SimThread}; a call from another thread is refused and
 * breaks a rule. Time is virtual ns since the start.
 */
public final class Simulation implements VirtualTime, AutoCloseable {
  private static final String ORDER = "core.order.";

  /** Odd, so that no two orders of a seed are the same. */
  private static final long ORDER_STEP = 0x9E37_79B9_7F4A_7C15L;

  private final long seed;
  private final SimSettings settings;
  private final SimThread thread = SimThread.current();
  private final EventHeap events = new EventHeap();
  private final TraceHash trace = new TraceHash();
  private final VirtualTime main;
  private final Surroundings outside;
  private final Deque<Runnable> closing = new ArrayDeque<>();
  private long nowNs;
  private long fired;
  private int firedNow;
  private int depth;
  private @Nullable SimViolation violation;
  private Runnable afterEach = () -> {};
  private @Nullable TraceLog log;
  private volatile @Nullable Throwable strayCall;

  /** Creates a run without events. The calling thread's former run must be closed. */
  public Simulation(long seed) {
    this(seed, SimSettings.DEFAULT);
  }

  /** Creates a run with bounds of its own. */
  public Simulation(long seed, SimSettings settings) {
    if (thread.simulation() != null) {
      throw new IllegalStateException("the simulation thread runs another simulation");
    }
    this.seed = seed;
    this.settings = settings;
    main = newTime("main", 0);
    outside = new OutsideSurroundings(this);
    thread.onSimulation(this);
  }

  /** The seed. */
  public long seed() {
    return seed;
  }

  /** Returns the random decisions of a domain in this run. */
  public Draws draws(String domain) {
    return Draws.of(seed, domain);
  }

  /**
   * Returns the random decisions of a domain that decides only the order of events with a free
   * order.
   */
  public Draws order(String domain) {
    return Draws.of(seed + settings.order() * ORDER_STEP, domain);
  }

  /** The hash of all events; the code behind each event adds to this hash. */
  public TraceHash trace() {
    return trace;
  }

  /** Adds an event to the trace. */
  public void trace(TraceKind kind, long first, long second) {
    TraceLog keeping = log;
    if (keeping != null) {
      keeping.add(trace.state(), kind, nowNs, first, second);
    }
    trace.add(kind.ordinal(), first, second);
  }

  /** Keeps additions to the trace in {@code kept} from now on; without this call no log is kept. */
  public void log(TraceLog kept) {
    requireThread();
    log = kept;
  }

  /** Number of events that have happened. */
  public long firedEvents() {
    return fired;
  }

  /** Number of events still to come. */
  public int pendingEvents() {
    return events.size();
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public void at(long timeNs, Runnable event) {
    main.at(timeNs, event);
  }

  /**
   * Returns the same time for another entity. The order of events of one instant is drawn for each
   * entity from the number of its earlier events, so that entities do not shift each other's order.
   *
   * @param domain kind of the entity, for example {@code net.link}
   * @param entity number within this kind; each entity asks once
   */
  public VirtualTime newTime(String domain, long entity) {
    return new EntityTime(order(ORDER + domain), entity);
  }

  /**
   * Sets the action after each event. The action also runs while code of a node waits, so that
   * rules are checked then, too. Replaces the former action.
   */
  public void afterEach(Runnable action) {
    requireThread();
    afterEach = action;
  }

  /** Refuses threads other than the run's own thread, and remembers the call. */
  @SuppressWarnings("ReferenceEquality") // threads are equal only if identical
  public void requireThread() {
    if (Thread.currentThread() != thread) {
      String who =
          Thread.currentThread() instanceof SimThread
              ? "another run at the same time, as when both use a static field"
              : "the thread " + Thread.currentThread().getName();
      IllegalStateException stray = new IllegalStateException("a simulation is called by " + who);
      strayCall = stray;
      throw stray;
    }
  }

  /**
   * Ends the run after the event under way; the run has failed then. For the watching thread: any
   * thread.
   */
  public void abort(RuntimeException why) {
    strayCall = why;
  }

  /** Records a broken rule; the run ends after this event. Only the first broken rule counts. */
  public void fail(String rule, String detail, @Nullable Throwable cause) {
    requireThread();
    if (violation == null) {
      violation = new SimViolation(seed, nowNs, rule, detail, cause);
      trace(TraceKind.VIOLATION, nowNs, 0);
    }
  }

  /** The first broken rule, or null. */
  public @Nullable SimViolation violation() {
    return violation;
  }

  /**
   * Runs all events until {@code untilNs}, the new present time.
   *
   * @throws SimViolation if a rule was broken
   */
  public void runUntil(long untilNs) {
    runUntil(() -> false, untilNs);
  }

  /** Runs all events of the next {@code durationNs}, as {@link #runUntil(long)}. */
  public void runFor(long durationNs) {
    runUntil(nowNs + durationNs);
  }

  /**
   * Runs events until {@code isDone}, checked after each event, or until {@code deadlineNs}. May be
   * called inside an event: the control plane of a node waits.
   *
   * @return whether the condition holds
   * @throws SimViolation if a rule was broken
   */
  public boolean runUntil(BooleanSupplier isDone, long deadlineNs) {
    requireThread();
    if (depth >= settings.nestedWaits()) {
      fail("nested waits", "more than " + settings.nestedWaits(), null);
    }
    depth++;
    Occupant waiting = thread.enter(null);
    try {
      boolean done = isDone.getAsBoolean();
      while (!done && hasEventUntil(deadlineNs)) {
        fireNext();
        afterEach.run();
        done = isDone.getAsBoolean();
      }
      check();
      if (!done) {
        nowNs = Math.max(nowNs, deadlineNs);
      }
      return done;
    } finally {
      thread.enter(waiting);
      depth--;
    }
  }

  /**
   * Runs events until no event is left.
   *
   * @return whether the events ended before {@code deadlineNs}
   * @throws SimViolation if a rule was broken
   */
  public boolean runUntilQuiescent(long deadlineNs) {
    return runUntil(events::isEmpty, deadlineNs);
  }

  /** Throws the violation if a rule was broken. */
  public void check() {
    Throwable stray = strayCall;
    if (stray != null) {
      strayCall = null;
      fail("confinement", String.valueOf(stray.getMessage()), stray);
    }
    SimViolation first = violation;
    if (first != null) {
      throw first;
    }
  }

  /** Runs {@code action} at the close of this run; the last action goes first. */
  public void onClose(Runnable action) {
    requireThread();
    closing.push(action);
  }

  /** Forgets the events to come, ends all started parts, and frees the thread for the next run. */
  @Override
  public void close() {
    requireThread();
    while (!closing.isEmpty()) {
      closing.pop().run();
    }
    events.clear();
    thread.onSimulation(null);
  }

  /** The surroundings of code outside of all nodes. */
  Surroundings outside() {
    return outside;
  }

  private boolean hasEventUntil(long untilNs) {
    return violation == null
        && strayCall == null
        && !events.isEmpty()
        && events.nextNs() <= untilNs;
  }

  private void fireNext() {
    long dueNs = events.nextNs();
    if (dueNs > nowNs) {
      nowNs = dueNs;
      firedNow = 0;
    } else if (++firedNow > settings.eventsAtOneInstant()) {
      fail("livelock", firedNow + " events at one instant", null);
      return;
    }
    fired++;
    Runnable event = events.remove();
    trace(TraceKind.EVENT, nowNs, events.size());
    try {
      event.run();
    } catch (SimViolation e) {
      violation = violation == null ? e : violation;
    } catch (RuntimeException | Error e) {
      fail("escaped exception", e.toString(), e);
    }
  }

  /** Virtual time for one entity: the entity's events have ordinals of their own. */
  private final class EntityTime implements VirtualTime {
    private final Draws order;
    private final long entity;
    private long ordinal;

    private EntityTime(Draws order, long entity) {
      this.order = order;
      this.entity = entity;
    }

    @Override
    public long nowNs() {
      return nowNs;
    }

    @Override
    public void at(long timeNs, Runnable event) {
      requireThread();
      events.add(Math.max(timeNs, nowNs), order.draw(entity, ordinal++), event);
    }
  }
}
