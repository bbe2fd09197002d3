package io.millrace.samples.sim;

import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws calls: a function of the seed and the call's id. Or takes a given list of calls. */
final class CallPlans {
  private static final int PPM = 1_000_000;
  private static final int PROBES_FROM = 1 << 20;
  private static final int ID_BYTES = Long.BYTES;
  private static final int MOST_HEADERS = 2_000;
  private static final long LONGEST_SLOW_NS = 80_000_000;
  private static final int LEAST_REGION = 64 << 10;
  private static final int LEAST_BODY = 20_000;
  private static final int MOST_BODY = 200_000;

  /** The number of regions of the smallest size in the largest body of a probing call. */
  static final int MOST_PROBED_REGIONS = (MOST_BODY + LEAST_REGION - 1) / LEAST_REGION;

  private static final Kind[] BODIES = {Kind.WRITE, Kind.READ, Kind.UNARY};
  private static final int[] SIZES = {0, 64, 1_100, 9_000, 66_000, 200_000, 500_000};

  private final Draws draws;
  private final int nodes;
  private final int classes;
  private final int oddPpm;
  private final int bulkPpm;
  private final @Nullable List<PlannedCall> given;
  private final Callbacks callbacks;

  CallPlans(SimRun run, int nodes) {
    this(run, nodes, null, Callbacks.none(run));
  }

  /** Returns the same plans with handlers that call other nodes. */
  static CallPlans withCallbacks(SimRun run, int nodes) {
    return new CallPlans(run, nodes, null, Callbacks.of(run));
  }

  /**
   * Takes the given calls, with all other draws the same.
   *
   * @param given the calls from 0 on
   */
  CallPlans(SimRun run, int nodes, List<PlannedCall> given) {
    this(run, nodes, given, Callbacks.none(run));
  }

  private CallPlans(SimRun run, int nodes, @Nullable List<PlannedCall> given, Callbacks callbacks) {
    this.nodes = nodes;
    this.given = given;
    this.callbacks = callbacks;
    draws = run.swarm().draws("call");
    classes = run.swarm().between("call.sizes", 2, SIZES.length - 1);
    oddPpm = run.swarm().has("call.odd") ? run.swarm().between("call.fates", 0, PPM / 3) : 0;
    bulkPpm = run.swarm().has("call.bulk") ? run.swarm().between("call.bodies", 0, PPM / 2) : 0;
  }

  /**
   * Returns whether this is the id of a probing call, which tests whether a node reaches another
   * node.
   */
  static boolean isProbe(long id) {
    return id >= PROBES_FROM && id < StreamPlans.FIRST_ID;
  }

  /** Returns the call of this id, or null for an unknown id. */
  @Nullable PlannedCall call(long id) {
    if (id >= PROBES_FROM) {
      return probe(id);
    }
    if (id < 0) {
      return null;
    }
    if (Callbacks.isOne(id)) {
      PlannedCall parent = call(Callbacks.parentId(id));
      return parent == null ? null : callback(parent);
    }
    return given == null ? drawn(id) : id < given.size() ? given.get((int) id) : null;
  }

  /** Returns the call that this call's handler makes before answering, or null. */
  @Nullable PlannedCall callback(PlannedCall parent) {
    return callbacks.of(parent);
  }

  private PlannedCall drawn(long id) {
    int from = (int) draws.below(id, 0, nodes);
    int to = (int) ((from + 1 + draws.below(id, 1, nodes - 1)) % nodes);
    Kind kind = kind(id);
    int bytes = size(id, 2);
    return new PlannedCall(
        id,
        from,
        to,
        kind,
        bytes == 0 ? Fate.PLAIN : fate(id, kind),
        bytes,
        size(id, 4),
        headersBytes(id),
        (int) draws.below(id, 6, 8),
        draws.below(id, 7, LONGEST_SLOW_NS));
  }

  /**
   * Returns the id of the {@code attempt}th probing call from one node to another.
   *
   * @param isBody whether the call has a body that needs regions, with a kind and size drawn for
   *     the pair; otherwise a few bytes, inline
   */
  long probeId(int from, int to, int attempt, boolean isBody) {
    long number = 2L * attempt + (isBody ? 1 : 0);
    return PROBES_FROM + number * nodes * nodes + (long) from * nodes + to;
  }

  private PlannedCall probe(long id) {
    long number = (id - PROBES_FROM) / ((long) nodes * nodes);
    int pair = (int) ((id - PROBES_FROM) % ((long) nodes * nodes));
    boolean isBody = number % 2 == 1;
    Kind kind = isBody ? BODIES[(int) draws.below(pair, 14, BODIES.length)] : Kind.UNARY;
    int bytes = isBody ? (int) draws.between(pair, 15, LEAST_BODY, MOST_BODY) : 100;
    return new PlannedCall(
        id, pair / nodes, pair % nodes, kind, Fate.PLAIN, bytes, bytes, ID_BYTES, 0, 0);
  }

  private Kind kind(long id) {
    if (draws.chance(id, 8, bulkPpm)) {
      return draws.below(id, 9, 2) == 0 ? Kind.WRITE : Kind.READ;
    }
    return draws.below(id, 9, 3) == 0 ? Kind.ON_WORKER : Kind.UNARY;
  }

  private Fate fate(long id, Kind kind) {
    if (!draws.chance(id, 10, oddPpm)) {
      return Fate.PLAIN;
    }
    Fate fate = Fate.values()[(int) draws.below(id, 11, Fate.values().length)];
    boolean isBulk = kind == Kind.WRITE || kind == Kind.READ;
    if (kind == Kind.ON_WORKER) {
      return Fate.HANDLER_FAILS;
    }
    return isBulk || fate.compareTo(Fate.SOURCE_FAILS) < 0 ? fate : Fate.PLAIN;
  }

  private int size(long id, int ordinal) {
    int upper = 1 + (int) draws.below(id, ordinal, classes);
    return (int) draws.between(id, ordinal + 1, SIZES[upper - 1], SIZES[upper]);
  }

  private int headersBytes(long id) {
    return ID_BYTES + (draws.below(id, 12, 8) == 0 ? (int) draws.below(id, 13, MOST_HEADERS) : 0);
  }
}
