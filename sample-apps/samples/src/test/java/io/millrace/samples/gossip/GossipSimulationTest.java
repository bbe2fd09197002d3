package io.millrace.samples.gossip;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Forty validators in a rack, a data center, a continent and the world, with links of these lengths
 * to the leader, in virtual time.
 */
final class GossipSimulationTest {
  private static final int VALIDATORS = 40;
  private static final int LEADER = VALIDATORS;

  /** One way in a rack; the network's own delay. */
  private static final long RACK_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /** The time of a vote beyond the way: turns of the workers at both ends. */
  private static final long WORK_NS = TimeUnit.MICROSECONDS.toNanos(50);

  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);
  private static final TransportSettings SMALL =
      TransportSettings.parse(
          """
          millrace.transfers { buffer-pool = 1 MiB, buffer-pool-per-peer = 1 MiB, broadcast-pool = 256 KiB }
          millrace.regions.counts = [2, 1]
          """);

  private final Transport[] nodes = new Transport[VALIDATORS + 1];

  private void start(SimNode node) {
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), SMALL))
            .environment(node.environment())
            .start();
    nodes[node.number()] = transport;
    if (node.number() != LEADER) {
      Validator _ = Validator.serve(transport);
    }
  }

  private static long wayNs(LatencyClass latency) {
    return RACK_NS + latency.delay().toNanos() / 2;
  }

  /** Returns the classes of the voters; times of a tally are times of the wall clock. */
  private static List<LatencyClass> voted(Tally tally) {
    return IntStream.range(0, VALIDATORS)
        .filter(i -> tally.voteNs(i) > 0)
        .mapToObj(i -> LatencyClass.of(i, VALIDATORS))
        .toList();
  }

  @SimulationTest(seeds = "1..2")
  void shouldTakeAVoteAsFarAsItsSenderIs(SimRun run) {
    run.add(VALIDATORS + 1, this::start);
    List<Leader.Seat> seats = new ArrayList<>();
    for (int i = 0; i < VALIDATORS; i++) {
      LatencyClass latency = LatencyClass.of(i, VALIDATORS);
      seats.add(new Leader.Seat(SimCluster.handshakeAddress(i), latency));
      DelaySettings way = DelaySettings.fixed(wayNs(latency));
      run.faults().delay(0, LEADER, i, way, Long.MAX_VALUE / 2);
      run.faults().delay(0, i, LEADER, way, Long.MAX_VALUE / 2);
    }
    run.runUntil(1);
    try (Leader leader = new Leader(Objects.requireNonNull(nodes[LEADER]), seats)) {
      // The first round waits for handshakes, too.
      Tally first = leader.propose(1);
      run.eventually(LIMIT_NS, "all vote", () -> first.complete().isDone());

      long startNs = run.simulation().nowNs();
      Tally tally = leader.propose(2);
      List<LatencyClass> expected = new ArrayList<>();
      for (LatencyClass each : LatencyClass.values()) {
        long cameNs = startNs + 2 * wayNs(each);
        run.runUntil(cameNs - 1);
        assertEquals(expected, voted(tally), each + " has voted too early");
        expected.addAll(seats.stream().map(Leader.Seat::latency).filter(each::equals).toList());
        run.runUntil(cameNs + WORK_NS);
        assertEquals(expected, voted(tally), each + " has not voted in time");
      }
    }
  }
}
