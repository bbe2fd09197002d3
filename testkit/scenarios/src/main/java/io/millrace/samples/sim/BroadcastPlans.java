package io.millrace.samples.sim;

import io.millrace.samples.sim.PlannedBroadcast.PlannedDelivery;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws broadcasts: a function of the seed and the broadcast's id. */
final class BroadcastPlans {
  /** Above the ids of all calls and streams. */
  static final long FIRST_ID = 1L << 41;

  /** The number of ids of a broadcast. */
  static final int STEP = 16;

  private static final int PPM = 1_000_000;
  private static final int MOST_HEADERS = 2_000;
  private static final long LONGEST_NS = 100_000_000;
  private static final int[] SIZES = {0, 64, 9_000, 70_000, 270_000, 520_000};
  private static final Fate[] FATES = {
    Fate.PLAIN, Fate.HANDLER_FAILS, Fate.TARGET_FAILS, Fate.CANCELLED
  };

  private final Draws draws;
  private final Draws each;
  private final int nodes;
  private final int oddPpm;
  private final long count;

  BroadcastPlans(SimRun run, int nodes) {
    this.nodes = nodes;
    draws = run.swarm().draws("broadcast");
    each = run.swarm().draws("broadcast.delivery");
    oddPpm =
        run.swarm().has("broadcast.odd") ? run.swarm().between("broadcast.fates", 0, 600_000) : 0;
    count = run.swarm().has("broadcasts") ? run.swarm().spread("broadcast.count", 2, 30) : 0;
  }

  /** Returns the number of broadcasts. */
  long count() {
    return count;
  }

  /** Returns the broadcast of this id, or null for an unknown id. */
  @Nullable PlannedBroadcast broadcast(long id) {
    long index = (id - FIRST_ID) / STEP;
    if (id < FIRST_ID || index >= count || (id - FIRST_ID) % STEP != 0) {
      return null;
    }
    int from = (int) draws.below(id, 0, nodes);
    int upper = 1 + (int) draws.below(id, 1, SIZES.length - 1);
    int bytes = (int) draws.between(id, 2, SIZES[upper - 1], SIZES[upper]);
    int headers =
        Long.BYTES + (draws.below(id, 3, 5) == 0 ? (int) draws.below(id, 4, MOST_HEADERS) : 0);
    boolean sourceFails = bytes > 0 && draws.chance(id, 5, oddPpm / 4);
    long laterNs = draws.chance(id, 6, PPM / 3) ? 1 + draws.below(id, 7, LONGEST_NS) : 0;
    List<PlannedDelivery> deliveries = new ArrayList<>();
    long first = draws.below(id, 8, nodes);
    for (int i = 0; i < nodes; i++) {
      int to = (int) ((first + i) % nodes);
      if (to != from) {
        deliveries.add(delivery(id, from, to, bytes, headers));
      }
    }
    return new PlannedBroadcast(
        id, from, bytes, headers, sourceFails, laterNs, List.copyOf(deliveries));
  }

  private PlannedDelivery delivery(long id, int from, int to, int bytes, int headers) {
    long own = id + 1 + to;
    boolean isOdd = bytes > 0 && each.chance(own, 0, oddPpm);
    Fate fate = isOdd ? FATES[(int) each.below(own, 1, FATES.length)] : Fate.PLAIN;
    PlannedCall call =
        new PlannedCall(
            id, from, to, Kind.WRITE, fate, bytes, 0, headers, (int) each.below(own, 2, 8), 0);
    long cancelNs = each.chance(own, 3, oddPpm / 2) ? 1 + each.below(own, 4, LONGEST_NS) : 0;
    long deadlineNs = each.chance(own, 5, oddPpm / 2) ? 1 + each.below(own, 6, LONGEST_NS) : 0;
    return new PlannedDelivery(own, call, cancelNs, deadlineNs);
  }
}
