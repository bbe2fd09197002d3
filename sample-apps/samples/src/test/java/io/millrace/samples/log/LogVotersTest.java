package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.FieldWriter;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaOptions;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** A node outside the log and a faulty member cannot keep the replicas from leading. */
final class LogVotersTest {
  private static final int REPLICAS = 3;
  private static final long SECOND_NS = 1_000_000_000;
  private static final Ballot LAST = new Ballot(Long.MAX_VALUE, 1);
  private static final ByteString KEY = ByteString.fromString("k");

  private final Transport[] transports = new Transport[REPLICAS + 1];
  private final ReplicaNode[] replicas = new ReplicaNode[REPLICAS];

  private static List<String> members() {
    return IntStream.range(0, REPLICAS).mapToObj(SimCluster::handshakeAddress).toList();
  }

  private void start(SimRun run, SimNode node) {
    int number = node.number();
    transports[number] =
        Transport.builder(SimCluster.settings(number, run.swarm().transport(number)))
            .environment(node.environment())
            .start();
    if (number < REPLICAS) {
      replicas[number] =
          ReplicaNode.start(
              transports[number],
              node.system(),
              ReplicaOptions.of(number, members()),
              new SimulatedDisk(run, number).open(node));
    }
  }

  private static ByteString ballot(Ballot ballot) {
    FieldWriter out = new FieldWriter();
    ballot.write(out);
    return out.toBytes();
  }

  /** Sends LAST in each message that begins with a ballot. */
  private static List<CompletableFuture<?>> attack(Transport from, String address) {
    Peer replica = from.peer(address);
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (String route : List.of("log.prepare", "log.accept", "log.accept-value", "log.chosen")) {
      FieldWriter out = new FieldWriter();
      LAST.write(out);
      out.number(1).number(1);
      ByteString message = route.equals("log.prepare") ? ballot(LAST) : out.toBytes();
      calls.add(replica.unary(Route.bytes(route), message));
    }
    calls.add(
        replica
            .streamingResponse(Route.bytes("log.catch-up"), ballot(LAST))
            .runWith(Sink.ignore(), from.materializer())
            .toCompletableFuture());
    calls.add(replica.bulkWrite(Route.bytes("log.value"), BulkSource.of(new byte[100])));
    calls.add(replica.bulkRead(Route.bytes("log.snapshot"), BulkTarget.into(new byte[1_000])));
    return calls;
  }

  private static CallException failure(CompletableFuture<?> call) {
    CompletionException failed = assertThrows(CompletionException.class, () -> call.getNow(null));
    return assertInstanceOf(CallException.class, failed.getCause());
  }

  private void requireLeader(SimRun run, int leader) {
    for (ReplicaNode each : replicas) {
      each.lead(leader);
    }
    LogClient client =
        LogClient.beside(
            replicas[leader], transports[leader], run.node(leader).system(), members());
    CompletableFuture<Result> put =
        client.execute(Operation.put(KEY, ByteString.fromString("v" + leader)));
    run.within(20 * SECOND_NS, "replica " + leader + " leads", put::isDone);
    assertEquals(Result.Status.DONE, put.join().status());
  }

  @SimulationTest(seeds = "1")
  void shouldLetOnlyMembersVote(SimRun run) {
    run.add(REPLICAS + 1, node -> start(run, node));
    requireLeader(run, 0);
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (String member : members()) {
      calls.addAll(attack(transports[REPLICAS], member));
    }
    run.within(5 * SECOND_NS, "they end", () -> calls.stream().allMatch(CompletableFuture::isDone));
    for (CompletableFuture<?> call : calls) {
      CallException failed = failure(call);
      assertEquals(CallOutcome.REFUSED, failed.outcome());
      assertTrue(
          String.valueOf(failed.getMessage()).contains("only members of the log vote"),
          failed::getMessage);
    }
    requireLeader(run, 1);
    close(run);
  }

  /** A member may send any ballot, but cannot use up all remaining ballots. */
  @SimulationTest(seeds = "1")
  void shouldRefuseBallotsThatJumpTooFar(SimRun run) {
    run.add(REPLICAS + 1, node -> start(run, node));
    requireLeader(run, 0);
    Peer replica = transports[2].peer(members().get(0));
    Route<ByteString, ByteString> prepare = Route.bytes("log.prepare");
    CompletableFuture<ByteString> far = replica.unary(prepare, ballot(LAST));
    CompletableFuture<ByteString> negative = replica.unary(prepare, ballot(new Ballot(-1, 2)));
    run.within(5 * SECOND_NS, "it is answered", () -> far.isDone() && negative.isDone());
    assertEquals(CallOutcome.HANDLER_FAILED, failure(far).outcome());
    assertEquals(CallOutcome.HANDLER_FAILED, failure(negative).outcome());
    requireLeader(run, 1);
    requireLeader(run, 0);
    close(run);
  }

  private void close(SimRun run) {
    for (ReplicaNode replica : replicas) {
      replica.close();
    }
    for (Transport transport : transports) {
      transport.close();
    }
    run.awaitClosed(SECOND_NS);
    run.cluster().nodes().forEach(node -> node.system().terminate());
    run.quiesce();
  }

  @Test
  void shouldKnowWhichBallotsAreWithinReach() {
    Ballot known = new Ballot(100, 2);
    assertTrue(new Ballot(0, 0).isWithinReachOf(known));
    assertTrue(known.next(0).isWithinReachOf(known));
    assertTrue(new Ballot(100 + Ballot.MOST_AHEAD, 0).isWithinReachOf(known));
    assertFalse(new Ballot(101 + Ballot.MOST_AHEAD, 0).isWithinReachOf(known));
    assertFalse(LAST.isWithinReachOf(known));
    assertFalse(new Ballot(-1, 0).isWithinReachOf(Ballot.NONE));
  }
}
