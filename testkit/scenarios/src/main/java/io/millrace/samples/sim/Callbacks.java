package io.millrace.samples.sim;

import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import org.jspecify.annotations.Nullable;

/**
 * Draws handlers that call another node before answering. A call holds its place (C-6) and its slot
 * while its handler waits. So calls that wait for each other in a circle would wait for ever, as
 * with any bounded pool. No such circle exists here. Only calls to a node of a higher number have
 * such handlers, and these handlers call nodes of lower numbers, their caller among them.
 */
final class Callbacks {
  /** The difference between the id of a call and the id of its handler's call. */
  private static final long FIRST_ID = 1 << 16;

  private static final int PPM = 1_000_000;
  private static final int MOST_BYTES = 3_000;

  private final Draws draws;
  private final int ppm;

  private Callbacks(Draws draws, int ppm) {
    this.draws = draws;
    this.ppm = ppm;
  }

  /** Returns the callbacks of this seed; half of all seeds have callbacks. */
  static Callbacks of(SimRun run) {
    return new Callbacks(
        run.swarm().draws("callback"),
        run.swarm().has("callbacks") ? run.swarm().between("callback.calls", PPM / 4, PPM) : 0);
  }

  /** Returns no callbacks: no handler calls anybody. */
  static Callbacks none(SimRun run) {
    return new Callbacks(run.swarm().draws("callback"), 0);
  }

  /** Returns whether a handler makes the planned call of this id. */
  static boolean isOne(long id) {
    return id >= FIRST_ID;
  }

  /** Returns the id of the call whose handler makes the call of this id. */
  static long parentId(long id) {
    return id - FIRST_ID;
  }

  /** Returns the call that this call's handler makes before answering, or null. */
  @Nullable PlannedCall of(PlannedCall parent) {
    boolean isCaller =
        parent.id() < FIRST_ID
            && parent.kind() == Kind.UNARY
            && parent.fate() == Fate.PLAIN
            && parent.from() < parent.to()
            && draws.chance(parent.id(), 0, ppm);
    return isCaller ? drawn(parent) : null;
  }

  private PlannedCall drawn(PlannedCall parent) {
    long id = parent.id() + FIRST_ID;
    return new PlannedCall(
        id,
        parent.to(),
        draws.below(id, 1, 2) == 0 ? parent.from() : (int) draws.below(id, 2, parent.to()),
        draws.below(id, 3, 2) == 0 ? Kind.UNARY : Kind.ON_WORKER,
        Fate.PLAIN,
        (int) draws.below(id, 4, MOST_BYTES),
        (int) draws.below(id, 5, MOST_BYTES),
        Long.BYTES,
        (int) draws.below(id, 6, 8),
        0);
  }
}
