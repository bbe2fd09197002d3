package io.millrace.samples.sim;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.node.DrainReport;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.Faults;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.FrameType;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A few transfers of every kind, good and bad, between three nodes; then silence, then the end. A
 * fourth node has another key and is turned away. Two regions make senders wait, a few damaged
 * chunks make records come again. With any single fault added, each call must come to its planned
 * end.
 */
final class MixedTransfers implements Scenario {
  private static final long MS = 1_000_000;
  private static final long WORK_NS = 300 * MS;
  private static final long SILENCE_NS = 1_000 * MS;
  private static final long SETTLE_WITHIN_NS = 10_000 * MS;
  private static final long DELAY_NS = 50_000;
  private static final int NODES = 3;
  private static final int STRANGER = NODES;
  private static final int AT_ONCE = 5;
  private static final long EACH_NS = 50 * MS;
  private static final long PAUSE_NS = 40 * MS;
  private static final int MOST_GRANTS = 8;
  private static final int DAMAGED_CHUNKS = 16;
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          """
          millrace {
            recovery.keep-alive = 400 ms
            handshake.timeout = 2 s
            crypto { packets-per-key = 20, data-keys { sender-ttl = 100 ms, receiver-ttl = 200 ms } }
            regions {
              sizes = [64 KiB], counts = [2], per-peer = 128 KiB
              idle-revoke = 1 ms, idle-timeout = 20 ms
            }
            streams { window = 16, window-bytes = 16 KiB }
          }
          """);
  private static final TransportSettings OTHER_KEY =
      SimTransportSettings.parse(
          """
          millrace.handshake {
            provider = psk
            psk = "ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
            timeout = 300 ms
          }
          """);

  private final boolean isFabric;
  private final Consumer<Faults> planned;
  private @Nullable Transport stranger;
  private int turnedAway;
  private int grants;

  /**
   * A scenario for a single run.
   *
   * @param isFabric whether workers send over a fabric
   * @param planned plans the faults
   */
  MixedTransfers(boolean isFabric, Consumer<Faults> planned) {
    this.isFabric = isFabric;
    this.planned = planned;
  }

  private static PlannedCall call(int id, Kind kind, Fate fate, int bytes, int answerBytes) {
    int from = id % NODES;
    return new PlannedCall(
        id,
        from,
        (from + 1 + id / NODES % 2) % NODES,
        kind,
        fate,
        bytes,
        answerBytes,
        Long.BYTES,
        id % 8,
        2 * MS);
  }

  private static List<PlannedCall> calls() {
    List<PlannedCall> calls = new ArrayList<>();
    calls.add(call(0, Kind.UNARY, Fate.PLAIN, 40, 100));
    calls.add(call(1, Kind.ON_WORKER, Fate.PLAIN, 900, 1_000));
    calls.add(call(2, Kind.UNARY, Fate.HANDLER_FAILS, 60, 10));
    calls.add(call(3, Kind.UNARY, Fate.SLOW, 3_000, 90_000));
    calls.add(call(4, Kind.UNARY, Fate.PLAIN, 150_000, 20));
    calls.add(call(5, Kind.WRITE, Fate.PLAIN, 200_000, 0));
    calls.add(call(6, Kind.READ, Fate.PLAIN, 130_000, 0));
    calls.add(call(7, Kind.WRITE, Fate.SOURCE_FAILS, 180_000, 0));
    calls.add(call(8, Kind.WRITE, Fate.TARGET_FAILS, 180_000, 0));
    calls.add(call(9, Kind.READ, Fate.SOURCE_FAILS, 120_000, 0));
    calls.add(call(10, Kind.READ, Fate.TARGET_FAILS, 120_000, 0));
    calls.add(call(11, Kind.WRITE, Fate.HANDLER_FAILS, 90_000, 0));
    calls.add(call(12, Kind.WRITE, Fate.PLAIN, 70_000, 0));
    calls.add(call(13, Kind.UNARY, Fate.PLAIN, 0, 0));
    return calls;
  }

  private static PlannedStream stream(
      int id, PlannedStream.Kind kind, PlannedStream.Fate fate, int bytes) {
    int from = id % NODES;
    return new PlannedStream(
        StreamPlans.FIRST_ID + id, from, (from + 1) % NODES, kind, fate, 40, 50, 5, bytes, id % 8);
  }

  private static List<PlannedStream> streams() {
    return List.of(
        stream(0, PlannedStream.Kind.RESPONSE, PlannedStream.Fate.PLAIN, 1_000),
        stream(1, PlannedStream.Kind.REQUEST, PlannedStream.Fate.PLAIN, 3_000),
        stream(2, PlannedStream.Kind.BIDIRECTIONAL, PlannedStream.Fate.PLAIN, 200),
        stream(3, PlannedStream.Kind.RESPONSE, PlannedStream.Fate.CALLER_CANCELS, 1_000),
        stream(4, PlannedStream.Kind.BIDIRECTIONAL, PlannedStream.Fate.RESPONSES_FAIL, 500));
  }

  @Override
  public void run(FullRun run) {
    NetworkSettings network = NetworkSettings.clean(DELAY_NS);
    if (isFabric) {
      run.fabric(FabricSettings.DEFAULT);
      // Damages the pieces of writes, and messages of the handshake.
      DamageSettings damage = new DamageSettings(0, 0, 0, 100_000, 0);
      network = network.withLink(network.link().withDamage(damage));
    }
    run.network(network);
    NodesSettings settings = NodesSettings.same(NODES, SETTINGS);
    ClusterWork calls =
        new ClusterWork(
            run,
            new CallPlans(run, NODES, calls()),
            settings,
            new DeservedFailures(run, network.link(), settings),
            EarlyEnds.none(),
            false);
    StreamWork streams =
        new StreamWork(run, calls, new StreamPlans(run, NODES, streams()), settings);
    for (int i = 0; i < NODES; i++) {
      run.add(
          NodeSettings.DEFAULT,
          node -> {
            calls.start(node);
            streams.serve(node);
          });
    }
    run.add(NodeSettings.DEFAULT, this::startStranger);
    damageChunks(run.faults());
    run.cluster().noteFrames();
    run.cluster().network().plan(packet -> pauseHolder(run, packet));
    planned.accept(run.faults());
    plan(run, calls);
    streams.plan(0, WORK_NS);
    finish(run, calls, streams);
  }

  private void damageChunks(Faults faults) {
    for (int i = 0; i < DAMAGED_CHUNKS && !isFabric; i++) {
      faults.corrupt(FrameMatch.of(FrameType.DATA_CHUNK).nth(20 + 9 * i));
    }
  }

  /** A holder of granted regions stands still a few times, writes nothing and loses the regions. */
  private Verdict pauseHolder(FullRun run, PacketView packet) {
    boolean isGrant =
        packet.notes().stream().anyMatch(note -> note.frame() == FrameType.REGION_GRANT);
    if (isGrant && grants < MOST_GRANTS && ++grants % 2 == 0) {
      run.cluster().node(packet.destination().node()).pause(PAUSE_NS);
    }
    return Verdict.PASS;
  }

  private void startStranger(SimNode node) {
    stranger =
        Transport.builder(SimCluster.settings(STRANGER, OTHER_KEY))
            .environment(node.environment())
            .start();
  }

  private static void plan(FullRun run, ClusterWork work) {
    List<PlannedCall> calls = calls();
    for (int i = 0; i < calls.size(); i++) {
      PlannedCall call = calls.get(i);
      run.at(
          i / AT_ONCE * EACH_NS,
          call.toString(),
          () -> work.make(call, outcome -> check(run, call, outcome)));
    }
  }

  private void callAsStranger(FullRun run) {
    Transport transport = stranger;
    if (transport == null) {
      return;
    }
    for (int to = 0; to < 2; to++) {
      var _ =
          transport
              .peer(SimCluster.handshakeAddress(to))
              .unary(SimulatedServer.UNARY, new byte[10])
              .whenComplete(
                  (answer, failure) -> {
                    if (failure == null
                        || CallResults.outcome(failure) != CallOutcome.HANDSHAKE_FAILED) {
                      run.fail("right outcome", "a stranger's call ended with " + failure);
                    }
                    turnedAway++;
                  });
    }
  }

  private void finish(FullRun run, ClusterWork calls, StreamWork streams) {
    run.at(
        WORK_NS / 2,
        "a stranger calls both",
        () -> {
          try {
            run.node(STRANGER)
                .call(
                    () -> {
                      callAsStranger(run);
                      return true;
                    });
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
    run.runUntil(WORK_NS);
    run.eventually(
        SETTLE_WITHIN_NS,
        "every call comes to its end",
        () -> run.history().isSettled() && turnedAway == 2);
    run.eventually(
        SETTLE_WITHIN_NS, "every stream is over at both sides", () -> streams.open() == 0);
    run.runUntil(run.simulation().nowNs() + SILENCE_NS);
    run.awaitIdle(SETTLE_WITHIN_NS);
    checkOutcomes(run);
    if (stranger != null) {
      stranger.close();
    }
    drain(run, calls);
    new Closing(run, calls).run();
    run.faults().requireMet();
  }

  private static void drain(FullRun run, ClusterWork calls) {
    for (int i = 0; i < 2; i++) {
      SimulatedServer life = calls.life(i);
      if (life != null) {
        CompletableFuture<DrainReport> drained =
            life.transport().drain(Duration.ofNanos(SETTLE_WITHIN_NS)).toCompletableFuture();
        run.eventually(
            SETTLE_WITHIN_NS,
            "a node that rests is drained",
            () -> drained.isDone() && drained.join().isComplete());
      }
    }
  }

  private static void check(FullRun run, PlannedCall call, Outcome outcome) {
    if (outcome != expected(call)) {
      run.fail("right outcome", call + " ended " + outcome + ", not " + expected(call));
    }
  }

  private static Outcome expected(PlannedCall call) {
    return switch (call.fate()) {
      case PLAIN, SLOW -> Outcome.DONE;
      case HANDLER_FAILS, SOURCE_FAILS, TARGET_FAILS, CANCELLED ->
          call.kind() == Kind.WRITE ? Outcome.REJECTED : Outcome.FAILED;
    };
  }

  private static Outcome expected(PlannedStream stream) {
    return stream.fate() == PlannedStream.Fate.RESPONSES_FAIL ? Outcome.FAILED : Outcome.DONE;
  }

  /** Requires the exact number of each outcome, including the outcomes of streams. */
  private static void checkOutcomes(FullRun run) {
    List<Outcome> expected = new ArrayList<>();
    calls().forEach(call -> expected.add(expected(call)));
    streams().forEach(stream -> expected.add(expected(stream)));
    for (Outcome outcome : Outcome.values()) {
      long count = expected.stream().filter(outcome::equals).count();
      long resolved = run.history().resolved(outcome);
      if (resolved != count) {
        run.fail("right outcome", resolved + " calls ended " + outcome + ", not " + count);
      }
    }
  }
}
