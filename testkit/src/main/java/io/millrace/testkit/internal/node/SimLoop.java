package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.core.Occupant;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.internal.patch.Surroundings;
import io.millrace.testkit.sim.VirtualTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import scala.Function0;

/**
 * A virtual processor of one life of a node: takes turns at virtual times, and each turn costs
 * time. Belongs to the dispatcher of one id.
 *
 * <p>A turn is due when something wakes the loop. Events armed for later stay armed and only check
 * whether a turn is due then; so a moving deadline costs no event.
 */
abstract class SimLoop implements Occupant {
  static final long NEVER = Long.MAX_VALUE;

  private final NodeLife life;
  private final Host host;
  private final String id;
  private final Simulation simulation;
  private final VirtualTime time;
  private final long entity;
  private final Runnable onDue = this::onDue;

  /** The times of armed events, the earliest last. */
  private long[] armedNs = new long[4];

  private int armed;
  private long wantedNs = NEVER;
  private long busyUntilNs;
  private long turns;
  private boolean isInTurn;

  /** The owner of the loops: the occupant of the thread outside of the loops' turns. */
  interface Host extends Occupant {
    /** A loop took a turn; a busily polling loop would see the results of this turn. */
    void onTurn(SimLoop turned);

    /**
     * As {@link Occupant#blockOn(Function0)}.
     *
     * @param where the code runs, for people
     */
    <T> T blockOn(Function0<T> thunk, String where);
  }

  SimLoop(NodeLife life, Host host, String id, int number) {
    this.life = life;
    this.host = host;
    this.id = id;
    simulation = life.simulation();
    entity = life.entity(number);
    time = simulation.newTime("node.loop", entity);
  }

  /** The dispatcher. */
  final String id() {
    return id;
  }

  final NodeLife life() {
    return life;
  }

  /** Returns the entity of this loop in its life's draws. */
  final long entity() {
    return entity;
  }

  /** Number of turns that the loop has taken. */
  final long turns() {
    return turns;
  }

  final long nowNs() {
    return time.nowNs();
  }

  /** Runs the due work; inside the turn this loop is the occupant of the thread. */
  abstract void turn();

  /** When the next turn is due as far as the loop knows, or {@link #NEVER}. */
  abstract long nextTurnNs();

  /** How many tasks wait. */
  abstract int waiting();

  /** Whether the loop has work without a wake-up; a busy-polling loop would see this work. */
  abstract boolean hasUnseenWork();

  /** Drops all waiting work. */
  abstract void clear();

  /** Whether a task may begin while another task waits inside its own code. */
  abstract boolean mayNest();

  /** A turn is due now. */
  final void wake() {
    wakeAt(time.nowNs());
  }

  /** A turn is due at {@code timeNs} at the latest. */
  final void wakeAt(long timeNs) {
    if (timeNs < wantedNs && !life.isOver()) {
      wantedNs = timeNs;
      arm();
    }
  }

  @Override
  public final Surroundings surroundings() {
    return life.surroundings();
  }

  @Override
  public final <T> T blockOn(Function0<T> thunk) {
    return host.blockOn(thunk, "on " + id);
  }

  private void arm() {
    long dueNs = Math.max(wantedNs, Math.max(busyUntilNs, life.node().pausedUntilNs()));
    if (armed > 0 && armedNs[armed - 1] <= dueNs) {
      return;
    }
    if (armed == armedNs.length) {
      armedNs = Arrays.copyOf(armedNs, 2 * armed);
    }
    armedNs[armed++] = dueNs;
    time.at(dueNs, onDue);
  }

  private void onDue() {
    armed--;
    if (life.isOver() || wantedNs == NEVER || (isInTurn && !mayNest())) {
      return;
    }
    if (isEarly()) {
      arm();
      return;
    }
    wantedNs = NEVER;
    takeTurn();
    wakeAt(nextTurnNs());
    if (wantedNs != NEVER) {
      arm();
    }
    host.onTurn(this);
  }

  private boolean isEarly() {
    long nowNs = time.nowNs();
    return wantedNs > nowNs || busyUntilNs > nowNs || life.node().pausedUntilNs() > nowNs;
  }

  private void takeTurn() {
    simulation.trace(TraceKind.TURN, entity, waiting());
    busyUntilNs = time.nowNs() + life.stepNs(entity, turns++);
    SimThread thread = SimThread.current();
    @Nullable Occupant before = thread.enter(this);
    boolean wasInTurn = isInTurn;
    isInTurn = true;
    try {
      turn();
    } finally {
      isInTurn = wasInTurn;
      thread.enter(before);
    }
  }
}
