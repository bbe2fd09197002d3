package io.millrace.samples.log;

import io.millrace.api.Transport;
import io.millrace.samples.log.check.Call;
import io.millrace.samples.log.check.Linearizability;
import io.millrace.samples.log.check.LogInvariants;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.core.ReplicaWatch;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.SizeLimits;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaNode.Contents;
import io.millrace.samples.log.node.ReplicaOptions;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A run of a log: the replicas, their disks, and the calls of clients. Simulation thread only. */
final class LogTrial {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long LOOK_NS = SECOND_NS / 5;
  private static final int OPERATION_BYTES = 10_000;
  private static final long STATE_BYTES = 20_000;
  private static final int MOST_LOOKS = 300;

  private final SimRun run;
  private final int count;
  private final Quorum quorum;
  private final ReplicaNode[] replicas;

  /** The life of each node with the present replica. */
  private final int[] lives;

  private final Transport[] transports;
  private final SimulatedDisk[] disks;
  private final @Nullable LogInvariants invariants;
  private final List<Pending> calls = new ArrayList<>();
  private Consumer<Answer> listener = answer -> {};
  private int leader;

  private record Pending(
      String client, Operation operation, long startNs, CompletableFuture<Answer> answer) {}

  /**
   * An answer to a client.
   *
   * @param leader the leader in the cluster's opinion at this time
   */
  record Answer(Operation operation, Result result, long atNs, int leader) {}

  /**
   * Takes started replicas.
   *
   * @param disks a disk for each replica
   * @param invariants the rules to hold all the time, or null without a check
   */
  LogTrial(
      SimRun run, Quorum quorum, List<SimulatedDisk> disks, @Nullable LogInvariants invariants) {
    this.run = run;
    this.quorum = quorum;
    this.disks = disks.toArray(new SimulatedDisk[0]);
    this.invariants = invariants;
    count = disks.size();
    replicas = new ReplicaNode[count];
    lives = new int[count];
    transports = new Transport[count];
    run.network(run.swarm().network());
    run.add(count, this::start);
  }

  private List<String> members() {
    return IntStream.range(0, count).mapToObj(SimCluster::handshakeAddress).toList();
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
            options(number),
            new ReplicaNode.Storage(disks[number].open(node), null, false),
            invariants == null ? ReplicaWatch.NONE : invariants.watch(number));
    lives[number] = node.incarnation();
    replicas[number].lead(leader);
  }

  private ReplicaOptions options(int number) {
    SizeLimits usual = SizeLimits.USUAL;
    SizeLimits limits =
        run.swarm().has("log.limits") ? usual.with(OPERATION_BYTES, STATE_BYTES) : usual;
    return ReplicaOptions.of(number, members())
        .withQuorum(quorum)
        .withCheckpoints(15, 5)
        .withLimits(limits);
  }

  /** Sets the listener for each answer to a client. */
  void onAnswer(Consumer<Answer> told) {
    listener = told;
  }

  /** Returns the replicas with a failed disk. */
  List<Integer> failedDisks() {
    return IntStream.range(0, count).filter(i -> disks[i].hasFailed()).boxed().toList();
  }

  /** Disks have no faults from now on, but failed disks stay failed. */
  void calmDisks() {
    for (SimulatedDisk disk : disks) {
      disk.calm();
    }
  }

  /** A replica with a failed disk takes part again after a restart. */
  void restart(int replica) {
    run.crash(replica);
    run.boot(replica);
  }

  /** The cluster's opinion changes, and each node hears of the change at its time. */
  void elect(int replica) {
    leader = replica;
    for (int i = 0; i < count; i++) {
      lead(i, replica);
    }
  }

  /** Tells a replica the number of the leader. */
  void lead(int told, int replica) {
    if (run.node(told).isUp()) {
      inTimeOf(run.node(told), () -> replicas[told].lead(replica));
    }
  }

  /** Runs a step that runs turns of a replica, in the time of its node. */
  private static void inTimeOf(SimNode node, Runnable step) {
    try {
      node.call(
          () -> {
            step.run();
            return true;
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Makes an operation of a client on a node; the client dies with the node. A node without a
   * replica in its present life leaves the operation without an answer.
   */
  void call(int node, Operation operation) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    calls.add(new Pending("n" + node, operation, run.simulation().nowNs(), answer));
    if (run.node(node).isUp() && lives[node] == run.node(node).incarnation()) {
      inTimeOf(run.node(node), () -> begin(node, operation, answer));
    }
  }

  private void begin(int node, Operation operation, CompletableFuture<Answer> answer) {
    LogClient client =
        LogClient.beside(replicas[node], transports[node], run.node(node).system(), members());
    var _ =
        client
            .execute(operation)
            .thenAccept(
                result -> {
                  Answer told = new Answer(operation, result, run.simulation().nowNs(), leader);
                  answer.complete(told);
                  run.onProgress();
                  listener.accept(told);
                });
  }

  /** Returns the number of calls. */
  int calls() {
    return calls.size();
  }

  /** Returns whether all calls from this number on have ended. */
  boolean isDone(int from) {
    return calls.subList(from, calls.size()).stream().allMatch(call -> call.answer.isDone());
  }

  /** A call with a forgotten session may have been done or not. */
  void requireLinearizable() {
    List<Call> history =
        calls.stream()
            .map(
                call -> {
                  Answer answer = call.answer.getNow(null);
                  return answer == null || answer.result.status() == Result.Status.NO_SESSION
                      ? new Call(call.client, call.operation, call.startNs, Long.MAX_VALUE, null)
                      : new Call(
                          call.client, call.operation, call.startNs, answer.atNs, answer.result);
                })
            .toList();
    Linearizability.violation(history)
        .ifPresent(found -> run.fail("linearizable", found.toString()));
  }

  /**
   * Requires that all replicas come to have applied the same slots, and hold the same state then.
   */
  void requireEqualStates() {
    List<Contents> last = contents();
    for (int i = 0; i < MOST_LOOKS && !areEquallyFar(last); i++) {
      run.runUntil(run.simulation().nowNs() + LOOK_NS);
      last = contents();
    }
    List<Long> slots = last.stream().map(Contents::appliedThrough).toList();
    if (!areEquallyFar(last)) {
      run.fail("liveness", "replicas do not converge, they have applied " + slots);
    }
    for (Contents each : last) {
      if (!each.equals(last.getFirst())) {
        run.fail("equal states", each + " is not " + last.getFirst());
      }
    }
  }

  private static boolean areEquallyFar(List<Contents> contents) {
    return contents.stream().map(Contents::appliedThrough).distinct().count() == 1;
  }

  private List<Contents> contents() {
    List<CompletableFuture<Contents>> asked =
        List.of(replicas).stream().map(ReplicaNode::contents).toList();
    run.within(
        10 * SECOND_NS, "replicas tell", () -> asked.stream().allMatch(CompletableFuture::isDone));
    return asked.stream().map(CompletableFuture::join).toList();
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
