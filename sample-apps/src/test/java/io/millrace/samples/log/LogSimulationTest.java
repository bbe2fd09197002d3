package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Transport;
import io.millrace.samples.log.check.Call;
import io.millrace.samples.log.check.Linearizability;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaNode.Contents;
import io.millrace.samples.log.node.ReplicaOptions;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.Shrinker;
import io.millrace.testkit.internal.scenario.Shrunk;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** Replicas under crashes, partitions and pauses: each key's history must be linearizable. */
final class LogSimulationTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long STEP_NS = SECOND_NS / 5;
  private static final String ACCEPT = "millrace.log.accept";
  private static final int MOST_SHRINKING = 40;
  private static final int CALLS = 60;
  private static final int KEYS = 3;

  private static final String NEW_LEADER = "a call succeeds after another replica was to lead";
  private static final int ELECTIONS = 5;
  private static final String DISK_FAILED = "a force fails";
  private static final String READ_VALUE = "a read finds a value";

  /** One run: the replicas, their disks, and what the clients saw. */
  private static final class Trial {
    private final SimRun run;
    private final int count;
    private final Quorum quorum;
    private final ReplicaNode[] replicas;
    private final Transport[] transports;
    private final SimulatedDisk[] disks;
    private final List<Pending> calls = new ArrayList<>();
    private int leader;

    /** Whether the run is to reach what is usual. */
    private boolean isMarked;

    private record Pending(
        String client, Operation operation, long startNs, CompletableFuture<Answer> answer) {}

    private record Answer(Result result, long atNs) {}

    Trial(SimRun run, int count, Quorum quorum) {
      this.run = run;
      this.count = count;
      this.quorum = quorum;
      replicas = new ReplicaNode[count];
      transports = new Transport[count];
      disks = new SimulatedDisk[count];
      for (int i = 0; i < count; i++) {
        disks[i] = new SimulatedDisk(run, i);
      }
      run.network(run.swarm().network());
      run.add(count, this::start);
    }

    private List<String> members() {
      List<String> members = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        members.add(SimCluster.handshakeAddress(i));
      }
      return members;
    }

    private void start(SimNode node) {
      int number = node.number();
      Transport transport =
          Transport.builder(SimCluster.settings(number, run.swarm().transport(number)))
              .environment(node.environment())
              .start();
      transports[number] = transport;
      replicas[number] =
          ReplicaNode.start(
              transport,
              node.system(),
              ReplicaOptions.of(number, members()).withQuorum(quorum).withCheckpoints(15, 5),
              disks[number].open(node));
      replicas[number].lead(leader);
    }

    /** A replica whose disk failed takes part again when it is started again. */
    void repairDisks() {
      for (int i = 0; i < count; i++) {
        if (disks[i].repair()) {
          run.reached(DISK_FAILED);
          run.crash(i);
          run.boot(i);
        }
      }
    }

    /** The cluster's opinion changes, and each node hears of it when it does. */
    void elect(int replica) {
      leader = replica;
      for (int i = 0; i < count; i++) {
        if (run.node(i).isUp()) {
          replicas[i].lead(replica);
        }
      }
    }

    /** Two replicas think that they lead. */
    void split(int one, int other) {
      for (int replica : new int[] {one, other}) {
        if (run.node(replica).isUp()) {
          replicas[replica].lead(replica);
        }
      }
    }

    /** One operation of a client that lives on a node; it dies with the node. */
    void call(int node, Operation operation) {
      LogClient client =
          LogClient.beside(replicas[node], transports[node], run.node(node).system(), members());
      CompletableFuture<Answer> answer = new CompletableFuture<>();
      calls.add(new Pending("n" + node, operation, run.simulation().nowNs(), answer));
      var _ =
          client
              .execute(operation)
              .thenAccept(
                  result -> {
                    answer.complete(new Answer(result, run.simulation().nowNs()));
                    run.onProgress();
                    if (isMarked && leader > 0) {
                      run.reached(NEW_LEADER);
                    }
                    if (isMarked
                        && operation.kind() == Operation.Kind.GET
                        && !result.value().isEmpty()) {
                      run.reached(READ_VALUE);
                    }
                  });
    }

    void requireLinearizable() {
      List<Call> history =
          calls.stream()
              .map(
                  call -> {
                    Answer answer = call.answer.getNow(new Answer(NONE, Long.MAX_VALUE));
                    return new Call(
                        call.client,
                        call.operation,
                        call.startNs,
                        answer.atNs,
                        answer.result == NONE ? null : answer.result);
                  })
              .toList();
      Linearizability.violation(history)
          .ifPresent(found -> run.fail("linearizable", found.toString()));
    }

    /** Replicas that applied the same slots hold the same. */
    void requireEqualStates() {
      List<CompletableFuture<Contents>> asked =
          Stream.of(replicas).map(ReplicaNode::contents).toList();
      run.within(
          10 * SECOND_NS,
          "replicas tell",
          () -> asked.stream().allMatch(CompletableFuture::isDone));
      Map<Long, Contents> seen = new HashMap<>();
      for (CompletableFuture<Contents> each : asked) {
        Contents one = each.join();
        Contents other = seen.putIfAbsent(one.appliedThrough(), one);
        if (other != null && !other.equals(one)) {
          run.fail("equal states", one + " is not " + other);
        }
      }
    }

    private static final Result NONE = Result.of(Result.Status.UNCERTAIN, -1);

    boolean isDone(int from) {
      return calls.subList(from, calls.size()).stream().allMatch(call -> call.answer.isDone());
    }

    void close() {
      for (int i = 0; i < count; i++) {
        replicas[i].close();
        transports[i].close();
      }
      run.awaitClosed(SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  @SimulationTest(
      seeds = {"4", "8"},
      shrinkRuns = 100)
  void shouldBeLinearizableWithThreeReplicas(SimRun run) {
    run.mustReach(DISK_FAILED, SimulatedDisk.TORN);
    requireLinearizable(run, 3);
  }

  @SimulationTest(
      seeds = {"4", "6"},
      shrinkRuns = 100)
  void shouldBeLinearizableWithFiveReplicas(SimRun run) {
    run.mustReach(DISK_FAILED, SimulatedDisk.TORN);
    requireLinearizable(run, 5);
  }

  /** With {@code -Dmillrace.log.accept=1} a log that takes for chosen what one has accepted. */
  @SimulationTest(seeds = "1")
  void shouldBeLinearizableThoughOldLeaderIsCutOff(SimRun run) {
    Quorum majority = Quorum.majority(3);
    cutOff(run, new Quorum(majority.prepare(), Integer.getInteger(ACCEPT, majority.accept())));
  }

  /** The bug of a log that commits on a minority is found, made small, and replayed. */
  @Test
  void shouldFindLeaderThatCommitsOnMinority() throws InterruptedException {
    Scenario planted = run -> cutOff(run, new Quorum(2, 1));
    SimRunner runner = new SimRunner(planted, 1);
    RunResult found = runner.run(RunSettings.of(1));

    Shrunk shrunk = new Shrinker(planted, MOST_SHRINKING).shrink(found);
    RunResult again = runner.replay(RunSettings.of(1).withKeep(shrunk.keep()));

    assertEquals("linearizable", violation(found).rule());
    assertEquals(violation(shrunk.result()).getMessage(), violation(again).getMessage());
    List<String> left = shrunk.words();
    assertTrue(left.stream().anyMatch(words -> words.contains("n0 gets")), left::toString);
    assertTrue(left.stream().filter(words -> words.contains(" puts")).count() == 1, left::toString);
    System.out.println("a log that commits on a minority: " + violation(again).getMessage());
    System.out.println("what is left of seed 1: " + left);
    System.out.printf(
        "again with: mvn test -pl sample-apps -am '-Dtest=%s#shouldBeLinearizableThough*'"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=1 -Dmillrace.sim.seed=1"
            + " '-Dmillrace.sim.keep=%s'%n",
        LogSimulationTest.class.getSimpleName(), ACCEPT, shrunk.keep());
  }

  private static SimViolation violation(RunResult result) {
    return Objects.requireNonNull(result.violation(), "a violation");
  }

  /** The leader is cut off with a client beside it, and the others have another leader. */
  private static void cutOff(SimRun run, Quorum quorum) {
    Trial trial = new Trial(run, 3, quorum);
    ByteString key = key(0);
    run.at(STEP_NS / 2, 0, "n0 puts", () -> trial.call(0, Operation.put(key, key(1))));
    for (int other = 1; other <= 2; other++) {
      int node = other;
      run.faults().cutBoth(STEP_NS, 0, node, 5 * STEP_NS);
      run.at(STEP_NS, node, "n" + node + " hears of n1", () -> trial.replicas[node].lead(1));
    }
    for (int i = 2; i <= 4; i++) {
      ByteString value = ByteString.fromString("v" + i);
      run.at(i * STEP_NS, 1, "n1 puts", () -> trial.call(1, Operation.put(key, value)));
      run.at(i * STEP_NS + STEP_NS / 2, 0, "n0 gets", () -> trial.call(0, Operation.get(key)));
    }
    run.runUntil(6 * STEP_NS);
    run.heal();
    trial.elect(1);
    run.runUntil(10 * STEP_NS);
    trial.requireLinearizable();
    trial.close();
  }

  private static void requireLinearizable(SimRun run, int count) {
    run.mustReach(NEW_LEADER, READ_VALUE);
    Trial trial = new Trial(run, count, Quorum.majority(count));
    trial.isMarked = true;
    int last = disturb(trial);
    run.within(60 * SECOND_NS, "the last calls succeed", () -> trial.isDone(last));
    trial.requireLinearizable();
    trial.requireEqualStates();
    trial.close();
  }

  /** Faults, elections and calls; returns the first of the calls that come when all is healed. */
  private static int disturb(Trial trial) {
    SimRun run = trial.run;
    int count = trial.count;
    new FaultSchedule(run, SECOND_NS).crashes().pauses().partitions().clocks();
    Draws draws = run.swarm().draws("log");
    if (run.swarm().has("fault.disk")) {
      for (int i = 0; i <= draws.below(0, 4, count / 2); i++) {
        int node = (int) draws.below(50 + i, 0, count);
        long atNs = draws.below(50 + i, 1, SECOND_NS);
        run.at(atNs, "the disk of n" + node + " fails", trial.disks[node]::failNext);
      }
    }
    for (int i = 0; i < ELECTIONS; i++) {
      int one = (int) draws.below(i, 0, count);
      int other = (int) draws.below(i, 1, count);
      long atNs = SECOND_NS / ELECTIONS * i + draws.below(i, 2, SECOND_NS / 10);
      if (draws.below(i, 3, 3) == 0) {
        run.at(atNs, "n" + one + " and n" + other + " lead", () -> trial.split(one, other));
      } else {
        run.at(atNs, "n" + one + " is to lead", () -> trial.elect(one));
      }
    }
    for (int i = 0; i < CALLS; i++) {
      int node = (int) draws.below(100 + i, 0, count);
      Operation operation = operation(draws, 100 + i);
      long atNs = draws.below(100 + i, 5, SECOND_NS);
      run.at(atNs, node, "n" + node + " " + operation, () -> trial.call(node, operation));
    }
    run.runUntil(SECOND_NS);

    run.heal();
    trial.repairDisks();
    trial.elect(0);
    int last = trial.calls.size();
    for (int key = 0; key < KEYS; key++) {
      trial.call(key % count, Operation.get(key(key)));
    }
    return last;
  }

  private static Operation operation(Draws draws, int index) {
    ByteString key = key(draws.below(index, 1, KEYS));
    ByteString value = ByteString.fromString("v" + index);
    return switch ((int) draws.below(index, 2, 3)) {
      case 0 -> Operation.put(key, value);
      case 1 -> Operation.get(key);
      default ->
          Operation.compareAndSet(
              key,
              draws.below(index, 3, 3) == 0
                  ? ByteString.emptyByteString()
                  : ByteString.fromString("v" + (100 + draws.below(index, 4, CALLS))),
              value);
    };
  }

  private static ByteString key(long number) {
    return ByteString.fromString("k" + number);
  }
}
