package io.millrace.samples.log;

import io.millrace.samples.log.check.LogInvariants;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Quorum;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.Swarm;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.util.ByteString;

/**
 * Replicas under crashes, partitions, pauses, elections and faults of their disks, with clients
 * beside them. The rules of the protocol hold all the time. Once the faults have ended, calls
 * succeed although a minority of the disks has failed; after a restart of these replicas, all come
 * to the same state.
 */
public final class LogScenario {
  /** A force fails. */
  static final String DISK_FAILED = "a force fails";

  /** The power fails in the middle of a force. */
  static final String POWER_FAILED = "the power fails in a force";

  /** Another replica than the first leads. */
  static final String NEW_LEADER = "a call succeeds after another replica was to lead";

  /** A read finds a value. */
  static final String READ_VALUE = "a read finds a value";

  /** The named leader cannot lead, and another replica leads. */
  static final String STAND_IN = "calls succeed though the disk of the leader has failed";

  private static final long SECOND_NS = 1_000_000_000;
  private static final long PATIENCE_NS = 20 * SECOND_NS;
  private static final long USUAL_FORCE_NS = 300_000;
  private static final int CALLS = 60;
  private static final int KEYS = 6;
  private static final int ELECTIONS = 5;
  private static final int MANY_ELECTIONS = 25;
  private static final int LARGE_BYTES = 3_000;
  private static final int LARGEST_BYTES = 70_000;

  private final SimRun run;
  private final int count;
  private final List<SimulatedDisk> disks = new ArrayList<>();
  private final LogTrial trial;
  private final Draws draws;

  private LogScenario(SimRun run, int count) {
    this.run = run;
    this.count = count;
    draws = run.swarm().draws("log");
    LogInvariants invariants = new LogInvariants(count, run::fail);
    for (int i = 0; i < count; i++) {
      disks.add(new SimulatedDisk(run, i, forceNs(i), invariants));
    }
    trial = new LogTrial(run, Quorum.majority(count), disks, invariants);
    trial.onAnswer(this::onAnswer);
  }

  /** Runs the scenario with this number of replicas. */
  public static void run(SimRun run, int count) {
    run.mustReach(DISK_FAILED, POWER_FAILED, SimulatedDisk.TORN, NEW_LEADER, READ_VALUE, STAND_IN);
    LogScenario scenario = new LogScenario(run, count);
    scenario.disturb();
    scenario.recover();
  }

  /**
   * In half of the seeds all disks are alike, in the other seeds each disk has a pace of its own.
   */
  private long forceNs(int disk) {
    Swarm swarm = run.swarm();
    return swarm.has("disk.paces")
        ? swarm.vary(
            "disk." + disk + ".force",
            USUAL_FORCE_NS,
            swarm.spread("disk." + disk + ".pace", 30_000, 30_000_000))
        : USUAL_FORCE_NS;
  }

  /** Faults, elections and calls. */
  private void disturb() {
    new FaultSchedule(run, SECOND_NS).crashes().pauses().partitions().clocks();
    planDiskFaults();
    planElections();
    for (int i = 0; i < CALLS; i++) {
      int node = (int) draws.below(100 + i, 0, count);
      int index = 100 + i;
      long atNs = draws.below(index, 5, SECOND_NS);
      String words = "n" + node + " calls " + index;
      run.at(atNs, node, words, () -> trial.call(node, operation(node, index)));
    }
    run.runUntil(SECOND_NS);
  }

  private void onAnswer(LogTrial.Answer answer) {
    if (answer.leader() > 0) {
      run.reached(NEW_LEADER);
    }
    if (answer.operation().kind() == Operation.Kind.GET && !answer.result().value().isEmpty()) {
      run.reached(READ_VALUE);
    }
  }

  private void planDiskFaults() {
    planDisks(
        "disk", (node, atNs, forNs) -> plan(node, "fails", atNs, 0, disks.get(node)::failNext));
    planDisks(
        "disk-stall",
        (node, atNs, forNs) -> plan(node, "stands still", atNs, forNs, disks.get(node)::stall));
    planDisks(
        "disk-slow",
        (node, atNs, forNs) ->
            plan(node, "is slow", atNs, forNs, () -> disks.get(node).slow(1 + forNs / 1_000_000)));
    planDisks(
        "disk-power",
        (node, atNs, forNs) ->
            plan(
                node,
                "loses power in a force",
                atNs,
                0,
                () -> disks.get(node).atNextForce(() -> losePower(node, forNs))));
  }

  @FunctionalInterface
  private interface DiskFault {
    void plan(int node, long atNs, long forNs);
  }

  /** Plans faults of a kind, in half of the seeds. */
  private void planDisks(String kind, DiskFault fault) {
    if (run.swarm().has("fault." + kind)) {
      Draws drawn = run.swarm().draws("log." + kind);
      for (int i = 0; i <= drawn.below(-1, 0, count); i++) {
        long forNs = Math.clamp(drawn.exponentialNs(i, 2, SECOND_NS / 10), 1_000, SECOND_NS);
        fault.plan((int) drawn.below(i, 0, count), drawn.below(i, 1, SECOND_NS), forNs);
      }
    }
  }

  private void plan(int node, String words, long atNs, long forNs, Runnable begin) {
    SimulatedDisk disk = disks.get(node);
    run.faults().plan(atNs, forNs, "the disk of n" + node + " " + words, begin, disk::calm);
  }

  private void losePower(int node, long forNs) {
    run.reached(POWER_FAILED);
    run.crash(node);
    run.simulation().at(run.simulation().nowNs() + forNs, () -> run.boot(node));
  }

  private void planElections() {
    int elections = run.swarm().has("log.elections") ? MANY_ELECTIONS : ELECTIONS;
    for (int i = 0; i < elections; i++) {
      int one = (int) draws.below(i, 0, count);
      int other = (int) draws.below(i, 1, count);
      long atNs = SECOND_NS / elections * i + draws.below(i, 2, SECOND_NS / elections);
      if (draws.below(i, 3, 3) == 0) {
        run.at(atNs, "n" + one + " and n" + other + " lead", () -> split(one, other));
      } else {
        run.at(atNs, "n" + one + " is to lead", () -> trial.elect(one));
      }
    }
  }

  /** Tells two replicas at once that they lead. */
  private void split(int one, int other) {
    trial.lead(one, one);
    trial.lead(other, other);
  }

  /** No more faults: first a minority of the disks stays as it is, then all replicas take part. */
  private void recover() {
    run.heal();
    trial.calmDisks();
    List<Integer> failed = trial.failedDisks();
    if (!failed.isEmpty()) {
      run.reached(DISK_FAILED);
    }
    for (int replica : failed.subList(0, Math.max(0, failed.size() - (count - 1) / 2))) {
      trial.restart(replica);
    }
    List<Integer> left = trial.failedDisks();
    trial.elect(left.isEmpty() ? (int) draws.below(-1, 0, count) : left.getFirst());
    requireCalls("calls succeed, disks that have failed: " + left);
    if (!left.isEmpty()) {
      run.reached(STAND_IN);
    }
    left.forEach(trial::restart);
    trial.elect(0);
    requireCalls("the last calls succeed");
    trial.requireLinearizable();
    trial.requireEqualStates();
    trial.close();
  }

  private void requireCalls(String words) {
    int first = trial.calls();
    for (int key = 0; key < KEYS; key++) {
      trial.call(key % count, Operation.get(key(key)));
    }
    run.within(PATIENCE_NS, words, () -> trial.isDone(first));
  }

  private Operation operation(int node, int index) {
    ByteString key = key(draws.below(index, 1, KEYS));
    ByteString value = value(node, index);
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

  /**
   * Returns a short value, a value that travels as a body, or a value that looks like a part of a
   * log.
   */
  private ByteString value(int node, int index) {
    ByteString text = ByteString.fromString("v" + index);
    if (run.swarm().has("log.values")) {
      return switch ((int) draws.below(index, 6, 12)) {
        case 0 -> padded(text, LARGE_BYTES);
        case 1 -> index % 2 == 0 ? padded(text, LARGEST_BYTES) : text;
        case 2, 3, 4 -> text.concat(ByteString.fromArray(disks.get(node).copy(LARGE_BYTES)));
        default -> text;
      };
    }
    return text;
  }

  private static ByteString padded(ByteString text, int bytes) {
    return text.concat(ByteString.fromArray(new byte[bytes]));
  }

  /** Returns the name of a key. */
  static ByteString key(long number) {
    return ByteString.fromString("k" + number);
  }
}
