package io.millrace.samples.sim;

import io.millrace.samples.sim.PlannedStream.Fate;
import io.millrace.samples.sim.PlannedStream.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws streams: a function of the seed and the stream's id. Or takes a given list of streams. */
final class StreamPlans {
  /** Above the ids of all calls. */
  static final long FIRST_ID = 1L << 40;

  private static final int PPM = 1_000_000;
  private static final int MOST_ELEMENTS = 150;
  private static final int FEW_ELEMENTS = 12;
  private static final int MOST_HEADERS = 2_000;
  private static final long LONGEST_SLOW_NS = 300_000_000;
  private static final int[] SIZES = {0, 40, 1_500, 6_000, 60_000};
  private static final int MANY_BYTES = 6_000;

  private final Draws draws;
  private final Draws lengths;
  private final int nodes;
  private final int classes;
  private final int oddPpm;
  private final long count;
  private final @Nullable List<PlannedStream> given;

  StreamPlans(SimRun run, int nodes) {
    this(run, nodes, null);
  }

  /**
   * Takes the given streams, with all other draws the same.
   *
   * @param given the streams from {@link #FIRST_ID} on, or null
   */
  StreamPlans(SimRun run, int nodes, @Nullable List<PlannedStream> given) {
    this.nodes = nodes;
    this.given = given;
    draws = run.swarm().draws("stream");
    lengths = run.swarm().draws("stream.element");
    classes = run.swarm().between("stream.sizes", 2, SIZES.length);
    oddPpm = run.swarm().has("stream.odd") ? run.swarm().between("stream.fates", 0, PPM / 2) : 0;
    count = given == null ? run.swarm().spread("streams", 2, 40) : given.size();
  }

  /** Returns the number of streams. */
  long count() {
    return count;
  }

  /** Returns the stream of this id, or null for an unknown id. */
  @Nullable PlannedStream stream(long id) {
    if (id < FIRST_ID || id >= FIRST_ID + count) {
      return null;
    }
    return given == null ? drawn(id) : given.get((int) (id - FIRST_ID));
  }

  private PlannedStream drawn(long id) {
    int from = (int) draws.below(id, 0, nodes);
    int to = (int) ((from + 1 + draws.below(id, 1, nodes - 1)) % nodes);
    Kind kind = Kind.values()[(int) draws.below(id, 2, Kind.values().length)];
    int mostBytes = SIZES[(int) draws.below(id, 3, classes)];
    int most = mostBytes > MANY_BYTES ? FEW_ELEMENTS : MOST_ELEMENTS;
    int requests = (int) draws.below(id, 4, most);
    int responses = (int) draws.below(id, 5, most);
    Fate fate = fate(id, kind, Math.min(requests, responses));
    return new PlannedStream(
        id,
        from,
        to,
        kind,
        fate,
        requests,
        responses,
        1 + (int) draws.below(id, 6, Math.max(1, Math.min(requests, responses) - 1)),
        mostBytes,
        (int) draws.below(id, 9, 8));
  }

  private Fate fate(long id, Kind kind, int shortest) {
    if (shortest < 2 || !draws.chance(id, 11, oddPpm)) {
      return Fate.PLAIN;
    }
    Fate fate = Fate.values()[(int) draws.below(id, 12, Fate.values().length)];
    return PlannedStream.isApt(kind, fate) ? fate : Fate.SLOW;
  }

  /** Returns the bytes of the request's headers, the id among these. */
  int headersBytes(PlannedStream stream) {
    long id = stream.id();
    return Long.BYTES + (draws.below(id, 7, 6) == 0 ? (int) draws.below(id, 8, MOST_HEADERS) : 0);
  }

  /** Returns the time for which the receivers stall. */
  long slowNs(PlannedStream stream) {
    return draws.below(stream.id(), 10, LONGEST_SLOW_NS);
  }

  /** Returns the bytes of an element. */
  int bytes(PlannedStream stream, boolean isResponse, int number) {
    long flow = stream.id() << 1 | (isResponse ? 1 : 0);
    return (int) lengths.below(flow, number, stream.mostBytes() + 1);
  }
}
