package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.body.ForwardingTarget;
import io.millrace.config.TransportSettings;
import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.event.RecordingEvents;
import io.millrace.path.region.WorkerRegions;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Oracles;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.FrameType;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.transfer.BodyTarget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node with right keys attacks a node that grants regions, while a third node sends bodies there.
 * A rule of every run is that no forbidden byte lands. Here each attempt is counted and told, the
 * bodies of the third node arrive, byte for byte, and nothing is left at the end.
 */
final class AttackersTest {
  private static final Route<?, ?> STORE = Route.bytes("store");
  private static final long MS = 1_000_000;
  private static final int NODES = 3;
  private static final int VICTIM = 0;
  private static final int HONEST = 1;
  private static final int ATTACKER = 2;
  private static final int CALLS = 6;
  private static final int MOST_SEEDS = 20;

  /** The number of seeds in which an attack finds something to attack. */
  private static final int MET_SEEDS = Math.min(3, Repetitions.factor());

  private static final int REGIONS = 3;
  private static final int BYTES = 200_000;
  private static final long ATTACK_NS = 200 * MS;
  private static final long HOLD_NS = 60 * MS;
  private static final long LATE_NS = 10 * MS;
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          """
          millrace.regions {
            sizes = [64 KiB], counts = [3], idle-revoke = 1 ms, idle-timeout = 20 ms
            stall-timeout = 20 ms
          }
          """);

  /** An announcement or a second write needs a region that its sender still has. */
  private static final TransportSettings PATIENT =
      SimTransportSettings.parse(
          "millrace.regions { sizes = [64 KiB], counts = [12], stall-timeout = 20 ms }");

  /** The nodes' way of sending. */
  enum Way {
    /** Datagrams. */
    DATAGRAMS,
    /** Over a fabric; regions are written by the adapter. */
    FABRIC
  }

  /** A run of an attack. */
  private static final class Trial {
    private final FullRun run;
    private final Attack attack;
    private final Attacker attacker;
    private final Transport[] transports = new Transport[NODES];
    private final Pattern pattern;
    private final RecordingEvents events = new RecordingEvents(100_000);
    private final UntouchedMemory memory;
    private int arrived;

    /**
     * Whether the attack was tried, counted and told; in some seeds an attack finds nothing to
     * attack.
     */
    private boolean isMet;

    private int done;
    private int held;

    Trial(FullRun run, Attack attack, Way way) {
      this.run = run;
      this.attack = attack;
      attacker = new Attacker(attack, ATTACKER, HONEST);
      pattern = new Pattern(run.seed(), "bytes");
      run.network(NetworkSettings.clean(50_000));
      if (way == Way.FABRIC) {
        run.fabric(FabricSettings.DEFAULT);
        // The attacker has no memory that an adapter reads, so it sends chunks to regions that an
        // adapter writes.
        run.cluster().fabric().registering(node -> node != ATTACKER);
      }
      run.cluster().tamper(attacker);
      memory = new UntouchedMemory(run, attacker, VICTIM, REGIONS);
      if (attack != Attack.BAD_DATA) {
        run.cluster().observeCiphers(memory);
        run.add(memory);
      }
      run.add(Oracles.ofOwnWorkloads(run.cluster()));
      run.add(NODES, this::start);
    }

    private void start(SimNode node) {
      TransportSettings settings = attack.isOnWhatStays() ? PATIENT : SETTINGS;
      Transport transport =
          Transport.builder(SimCluster.settings(node.number(), settings))
              .environment(node.environment())
              .events(node.number() == VICTIM ? events : new RecordingEvents(0))
              .start();
      transports[node.number()] = transport;
      transport.serveBulkWrites(STORE, this::onOffer);
    }

    private CompletionStage<BodyTarget> onOffer(BulkOffer offer) {
      PlannedCall call = call(PlannedMessages.id(offer.headers()));
      PatternTarget target =
          new PatternTarget(
              pattern,
              call,
              what -> run.fail("integrity", call + ": " + what),
              () -> arrived += call.from() == HONEST ? 1 : 0);
      boolean isLate = attack == Attack.CHANGED_AFTER_NOTIFY && call.from() == ATTACKER;
      return CompletableFuture.completedFuture(isLate ? new LateTarget(target) : target);
    }

    /** Takes nothing for a while, so that announced bytes wait. */
    private final class LateTarget extends ForwardingTarget {
      private boolean isReady;

      LateTarget(BodyTarget target) {
        super(target);
      }

      @Override
      public void start(Runnable resume) {
        super.start(resume);
        run.simulation()
            .at(
                run.simulation().nowNs() + LATE_NS,
                () -> {
                  isReady = true;
                  as(VICTIM, resume);
                });
      }

      @Override
      public boolean isReady() {
        return isReady && super.isReady();
      }
    }

    private PlannedCall call(long id) {
      int from = id < CALLS ? HONEST : ATTACKER;
      // A hoarder is served first, and always wants more regions than exist.
      int priority = from == ATTACKER && attack == Attack.HOARDED_TOKENS ? 0 : 3;
      return new PlannedCall(
          id, from, VICTIM, Kind.WRITE, Fate.PLAIN, BYTES, 0, Long.BYTES, priority, 0);
    }

    private void write(long id) {
      PlannedCall call = call(id);
      TransferOptions options =
          TransferOptions.DEFAULTS
              .withPriority(call.priority())
              .withHeaders(PlannedMessages.headers(id));
      var _ =
          transports[call.from()]
              .peer(SimCluster.handshakeAddress(VICTIM))
              .bulkWrite(STORE, new PatternSource(pattern, call), options)
              .whenComplete(
                  (receipt, failure) -> {
                    if (call.from() == HONEST) {
                      done += failure == null ? 1 : 0;
                      if (failure != null) {
                        run.fail("others progress", call + " failed: " + failure);
                      }
                    }
                  });
    }

    private void as(int node, Runnable code) {
      try {
        run.node(node)
            .call(
                () -> {
                  code.run();
                  return true;
                });
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    /** The first two bodies of each sender are right; then the attack begins. */
    void run() {
      for (long id = 0; id < CALLS; id++) {
        long honest = id;
        long atNs = id < 2 ? id * 20 * MS : ATTACK_NS + id * MS;
        // A hoarder has all regions by then.
        long laterNs = id >= 2 && attack == Attack.HOARDED_TOKENS ? LATE_NS : 0;
        run.at(atNs + laterNs, "n1 writes", () -> as(HONEST, () -> write(honest)));
        run.at(atNs, "n2 writes", () -> as(ATTACKER, () -> write(CALLS + honest)));
      }
      if (attack == Attack.REVOKED_REGION) {
        run.cluster().noteFrames();
        run.cluster().network().plan(this::holdOnce);
      }
      run.faults().plan(ATTACK_NS, 0, "n2 attacks: " + attack, attacker::begin, () -> {});
      run.runUntil(ATTACK_NS);
      require("the attacker is ready", attacker.isReady());
      run.within(20_000 * MS, "honest bodies arrive", () -> done == CALLS && arrived == CALLS);
      run.runUntil(run.simulation().nowNs() + 300 * MS);
      check();
      close();
    }

    /** The attacker stands still after the grant of a region, and loses the region. */
    private Verdict holdOnce(PacketView packet) {
      boolean isGrant =
          packet.destination().node() == ATTACKER
              && packet.notes().stream().anyMatch(note -> note.frame() == FrameType.REGION_GRANT);
      if (isGrant && held++ == 0) {
        run.node(ATTACKER).pause(HOLD_NS);
      }
      return Verdict.PASS;
    }

    private void check() {
      TransportPool pool = run.node(VICTIM).life().pools().getFirst();
      PathCounters counters = pool.port(0).counters();
      WorkerRegions regions = Objects.requireNonNull(pool.port(0).regions());
      long count =
          switch (attack) {
            case BAD_DATA -> counters.recordsNotAuthentic;
            case LATE_WRITE, CHANGED_AFTER_NOTIFY -> counters.chunksStale;
            case REPLAYED_NOTIFY -> counters.duplicateNotifications;
            case HOARDED_TOKENS ->
                regions.counters().revokedIdle() + regions.counters().revokedUnderPressure();
            default -> counters.writesRejected;
          };
      isMet =
          count > 0
              && attacker.attempts() > 0
              && (attack != Attack.CHANGED_AFTER_NOTIFY || isToldOfWaiting());
      if (isMet && !attack.event().isEmpty()) {
        requireTold(count);
      }
      require("no record was spoilt", isBad() || counters.recordsNotAuthentic == 0);
      require("memory was compared", isBad() || memory.compared() > 0 || attacker.attempts() == 0);
      require("the peer is no protocol's breaker", counters.protocolViolations == 0);
    }

    private boolean isToldOfWaiting() {
      return events.lines().stream().anyMatch(line -> line.contains("ALREADY_CONSUMING"));
    }

    private void requireTold(long count) {
      List<String> told = events.lines().stream().filter(attack::isToldBy).toList();
      require("it was told for its own reason", !told.isEmpty());
      if (attack.event().equals("StaleWrite")) {
        requireToldOfEachPeer(told, count);
      } else {
        long all = events.count(attack.event());
        require(count + " were counted, told were " + all, all == count);
      }
    }

    /**
     * Requires events of each peer's first, second, fourth attempt and so on; packets of honest
     * peers are doubled, too.
     */
    private void requireToldOfEachPeer(List<String> told, long count) {
      Map<String, Long> newest = new HashMap<>();
      for (String line : told) {
        String peer = word(line, "peer");
        long number = Long.parseLong(word(line, "count"));
        long expected = 2 * newest.getOrDefault(peer, 0L);
        require(line + " after " + newest, number == Math.max(expected, 1));
        newest.put(peer, number);
      }
      long least = newest.values().stream().mapToLong(each -> each).sum();
      require(count + " were counted, told were " + told, least <= count && count < 2 * least);
    }

    private static String word(String line, String name) {
      int from = line.indexOf(" " + name + "=") + name.length() + 2;
      int to = line.indexOf(' ', from);
      return to < 0 ? line.substring(from) : line.substring(from, to);
    }

    private boolean isBad() {
      return attack == Attack.BAD_DATA;
    }

    private void require(String what, boolean holds) {
      if (!holds) {
        run.fail("attack is met", "not so: " + what);
        run.simulation().check();
      }
    }

    private void close() {
      for (int node = NODES - 1; node >= 0; node--) {
        transports[node].close();
      }
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
      run.faults().requireMet();
    }
  }

  static Stream<Arguments> all() {
    return Stream.of(Attack.values())
        .flatMap(attack -> Stream.of(Way.values()).map(way -> arguments(attack, way)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCountTellAndGoOn(Attack attack, Way way) throws Exception {
    Set<Long> met = new HashSet<>();
    for (long seed = 1; seed <= MOST_SEEDS && met.size() < MET_SEEDS; seed++) {
      long number = seed;
      Scenario scenario =
          run -> {
            Trial trial = new Trial(run, attack, way);
            trial.run();
            if (trial.isMet) {
              met.add(number);
            }
          };
      RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(seed));
      assertNull(result.violation(), () -> result.violation() + " " + result.happened());
    }
    assertEquals(MET_SEEDS, met.size(), "seeds in which it was tried, counted and told");
  }
}
