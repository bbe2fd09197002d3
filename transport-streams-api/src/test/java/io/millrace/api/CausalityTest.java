package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.ArraySource;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.node.DrainReport;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers that wait for others: the four kinds, by when the other fails and where it goes. Under
 * virtual time.
 */
class CausalityTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CALLER = 0;
  private static final Route<byte[], byte[]> FIRST =
      Route.of("first", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final Route<byte[], byte[]> SECOND =
      Route.of("second", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final Route<byte[], byte[]> QUICK =
      Route.of("quick", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final byte[] NOTHING = {};

  /** Where the two go. */
  enum Where {
    SAME_PEER(1, 1),
    OTHER_PEER(2, 1),
    OTHER_WORKER(2, 2);

    private final int second;
    private final int workers;

    Where(int second, int workers) {
      this.second = second;
      this.workers = workers;
    }
  }

  private static Stream<Arguments> all() {
    return Stream.of(Where.values())
        .flatMap(
            where -> Stream.of(DependencyKind.values()).map(kind -> Arguments.of(where, kind)));
  }

  private interface Plan {
    void run(World world) throws Exception;
  }

  /** Three nodes, the first of which calls; what the handlers of the others have in hand. */
  private static final class World {
    private final Simulation simulation;
    private final SimulatedCluster nodes;
    private final List<CompletableFuture<byte[]>> first = new ArrayList<>();
    private final List<CompletableFuture<byte[]>> second = new ArrayList<>();
    private final List<Integer> order = new ArrayList<>();

    World(Simulation simulation, SimulatedCluster nodes) {
      this.simulation = simulation;
      this.nodes = nodes;
      for (int node = 1; node <= 2; node++) {
        Transport transport = nodes.transport(node);
        transport.serve(FIRST, bytes -> begun(first));
        transport.serve(SECOND, bytes -> begun(second));
        transport.serve(
            QUICK,
            bytes -> {
              order.add(bytes.length < 4 ? 0 : ByteBuffer.wrap(bytes).getInt());
              return CompletableFuture.completedFuture(bytes);
            });
      }
    }

    private static CompletableFuture<byte[]> begun(List<CompletableFuture<byte[]>> list) {
      CompletableFuture<byte[]> begun = new CompletableFuture<>();
      list.add(begun);
      return begun;
    }

    Peer peer(int node) {
      return nodes.peer(CALLER, node);
    }

    void pass(long ns) {
      simulation.runUntil(() -> false, simulation.nowNs() + ns);
    }

    int slots() {
      return nodes.transport(CALLER).snapshot().causalitySlots();
    }
  }

  private static void run(Where where, String overrides, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            NetworkSettings network = NetworkSettings.clean(MS / 2);
            World world =
                new World(
                    simulation,
                    new SimulatedCluster(
                        simulation,
                        3,
                        network,
                        null,
                        SimTransportSettings.parse(
                            "millrace.workers.count = " + where.workers + "\n" + overrides),
                        NOTHING));
            world.nodes.await(world.peer(1).connect(), SECOND_NS);
            world.nodes.await(world.peer(2).connect(), SECOND_NS);
            plan.run(world);
            world.pass(SECOND_NS);
            assertEquals(0, world.slots(), "slots that are left");
            simulation.check();
          }
          return null;
        });
  }

  private static byte[] number(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  private static CallException failureOf(CompletableFuture<?> call) {
    assertTrue(call.isCompletedExceptionally(), "it failed");
    Throwable failure = call.exceptionNow();
    return assertInstanceOf(
        CallException.class,
        failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
  }

  private static void assertFailedWith(CausalityToken root, CompletableFuture<?> call) {
    CallException failure = failureOf(call);
    assertEquals(CallOutcome.DEPENDENCY_FAILED, failure.outcome(), failure.getMessage());
    assertEquals(root, failure.failedDependency().orElseThrow());
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldHearOfAFailureBefore(Where where, DependencyKind kind) throws Exception {
    run(
        where,
        "",
        world -> {
          Call<byte[]> other = first(world);
          world.pass(10 * MS);
          world.first.getFirst().completeExceptionally(new IllegalStateException("planned"));
          world.pass(10 * MS);
          Call<byte[]> call =
              world
                  .peer(where.second)
                  .unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(other.token(), kind));
          world.pass(10 * MS);

          assertEquals(kind.isCascading() ? 0 : 1, world.order.size());
          if (kind.isCascading()) {
            assertFailedWith(other.token(), call);
            assertEquals(CallOutcome.Execution.NO, failureOf(call).wasExecuted());
          } else {
            assertEquals(0, call.getNow(null).length);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldHearOfAFailureWhileItIsUnderWay(Where where, DependencyKind kind) throws Exception {
    run(
        where,
        "",
        world -> {
          Call<byte[]> other = first(world);
          Call<byte[]> call =
              world
                  .peer(where.second)
                  .unary(SECOND, NOTHING, TransferOptions.DEFAULTS.after(other.token(), kind));
          world.pass(10 * MS);
          assertEquals(1, world.first.size());
          assertEquals(kind.isForResponse() ? 0 : 1, world.second.size(), "whether it runs");

          world.first.getFirst().completeExceptionally(new IllegalStateException("planned"));
          world.pass(10 * MS);

          if (kind.isCascading()) {
            assertFailedWith(other.token(), call);
            assertEquals(kind.isForResponse() ? 0 : 1, world.second.size());
            assertTrue(world.second.stream().allMatch(CompletableFuture::isCancelled));
          } else {
            assertFalse(call.isDone());
            world.second.getFirst().complete(NOTHING);
            world.pass(10 * MS);
            assertEquals(0, call.getNow(null).length);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldStandWhenTheOtherFailsAfterwards(Where where, DependencyKind kind) throws Exception {
    run(
        where,
        "",
        world -> {
          Call<byte[]> other = first(world);
          Call<byte[]> call =
              world
                  .peer(where.second)
                  .unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(other.token(), kind));
          world.pass(10 * MS);
          if (kind.isForResponse()) {
            assertEquals(0, world.order.size());
            world.first.getFirst().complete(NOTHING);
          } else {
            assertTrue(call.isDone());
            world.first.getFirst().completeExceptionally(new IllegalStateException("planned"));
          }
          world.pass(10 * MS);

          assertEquals(0, call.getNow(null).length);
          assertEquals(1, world.order.size());
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldKnowThatAnOutcomeIsForgotten(Where where, DependencyKind kind) throws Exception {
    run(
        where,
        "millrace.causality { initial-slots = 4, max-slots = 8, retained-outcomes = 1 }",
        world -> {
          Call<byte[]> other =
              world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.withToken());
          world.pass(10 * MS);
          for (int i = 0; i < 40; i++) {
            var _ = world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.withToken());
            world.pass(3 * MS);
          }
          world.order.clear();

          Call<byte[]> call =
              world
                  .peer(where.second)
                  .unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(other.token(), kind));
          world.pass(10 * MS);

          if (kind.isCascading()) {
            assertEquals(CallOutcome.DEPENDENCY_EXPIRED, failureOf(call).outcome());
            assertEquals(0, world.order.size());
          } else {
            assertEquals(0, call.getNow(null).length);
          }
        });
  }

  /** A thousand in a row to one peer take little more than a round trip, in their order. */
  @Test
  void shouldSendAChainInAboutOneRoundTrip() throws Exception {
    run(
        Where.SAME_PEER,
        "",
        world -> {
          int count = 1_000;
          long before = world.simulation.nowNs();
          Call<byte[]> last =
              world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.withToken());
          for (int i = 1; i < count; i++) {
            last =
                world.peer(1).unary(QUICK, number(i), TransferOptions.DEFAULTS.after(last.token()));
          }
          world.nodes.await(last, 10 * SECOND_NS);
          long took = world.simulation.nowNs() - before;

          assertEquals(count, world.order.size());
          for (int i = 0; i < count; i++) {
            assertEquals(i, world.order.get(i));
          }
          assertTrue(took < 10 * MS, "it took " + took + " ns");
        });
  }

  /** A failure in front of a chain ends all of it, each with the same root. */
  @Test
  void shouldCascadeAlongAChain() throws Exception {
    run(
        Where.SAME_PEER,
        "",
        world -> {
          Call<byte[]> root = first(world);
          List<Call<byte[]>> chain = new ArrayList<>();
          Call<byte[]> last = root;
          for (int i = 0; i < 5_000; i++) {
            last =
                world
                    .peer(1 + i % 2)
                    .unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(last.token()));
            chain.add(last);
          }
          world.pass(50 * MS);
          assertEquals(0, world.order.size());
          world.first.getFirst().completeExceptionally(new IllegalStateException("planned"));
          world.pass(100 * MS);

          chain.forEach(call -> assertFailedWith(root.token(), call));
          assertEquals(0, world.order.size());
        });
  }

  @Test
  void shouldWaitForTenThousand() throws Exception {
    run(
        Where.OTHER_WORKER,
        "",
        world -> {
          TransferOptions options = TransferOptions.DEFAULTS;
          for (int i = 0; i < 10_000; i++) {
            Call<byte[]> other =
                world.peer(1 + i % 2).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.withToken());
            options = options.after(other.token(), DependencyKind.OPTIONAL);
          }
          Call<byte[]> call = world.peer(1).unary(SECOND, NOTHING, options);
          assertTrue(
              world.simulation.runUntil(
                  () -> !world.second.isEmpty(), world.simulation.nowNs() + 10 * SECOND_NS));
          assertEquals(10_000, world.order.size());
          world.second.getFirst().complete(NOTHING);
          world.pass(10 * MS);
          assertEquals(0, call.getNow(null).length);
        });
  }

  @Test
  void shouldWaitForAQuorumAndFailWhenItCannotBe() throws Exception {
    run(
        Where.OTHER_WORKER,
        "",
        world -> {
          List<CausalityToken> tokens =
              Stream.of(1, 2, 1)
                  .map(
                      to ->
                          world
                              .peer(to)
                              .unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken()))
                  .<CausalityToken>map(Call::token)
                  .toList();
          Call<byte[]> two =
              world.peer(2).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.afterQuorum(2, tokens));
          Call<byte[]> three =
              world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.afterQuorum(3, tokens));
          world.pass(10 * MS);
          world.first.get(0).complete(NOTHING);
          world.pass(10 * MS);
          assertFalse(two.isDone() || three.isDone());
          world.first.get(1).completeExceptionally(new IllegalStateException("planned"));
          world.pass(10 * MS);
          assertFalse(two.isDone());
          assertEquals(CallOutcome.DEPENDENCY_FAILED, failureOf(three).outcome());
          world.first.get(2).complete(NOTHING);
          world.pass(10 * MS);
          assertEquals(0, two.getNow(null).length);
        });
  }

  /** A deadline in front of a chain ends all of it. */
  @Test
  void shouldCascadeADeadline() throws Exception {
    run(
        Where.OTHER_WORKER,
        "",
        world -> {
          Call<byte[]> root =
              world
                  .peer(1)
                  .unary(
                      FIRST,
                      NOTHING,
                      TransferOptions.DEFAULTS.withToken().withDeadline(Duration.ofMillis(20)));
          List<Call<byte[]>> chain = new ArrayList<>();
          Call<byte[]> last = root;
          for (int i = 0; i < 5; i++) {
            last =
                world
                    .peer(1 + i % 2)
                    .unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(last.token()));
            chain.add(last);
          }
          world.pass(30 * MS);
          assertEquals(CallOutcome.EXPIRED, failureOf(root).outcome());
          chain.forEach(call -> assertFailedWith(root.token(), call));
          assertEquals(0, world.order.size());
        });
  }

  /** Streams and bulk wait, and are waited for. */
  @Test
  void shouldOrderStreamsAndBulk() throws Exception {
    run(
        Where.SAME_PEER,
        "",
        world -> {
          List<String> log = new ArrayList<>();
          Route<byte[], byte[]> numbers = Route.of("numbers", ByteArrays.CODEC, ByteArrays.CODEC);
          world
              .nodes
              .transport(1)
              .serveStreamingResponse(
                  numbers,
                  bytes -> {
                    log.add("stream");
                    return Source.range(1, 3).map(CausalityTest::number);
                  });
          Transport caller = world.nodes.transport(CALLER);
          Call<byte[]> first = first(world);
          List<CausalityToken> ofStream = new ArrayList<>();
          CompletionStage<Integer> seen =
              world
                  .peer(1)
                  .streamingResponse(
                      numbers,
                      NOTHING,
                      TransferOptions.DEFAULTS.after(first.token()).withToken(ofStream::add))
                  .runFold(0, (count, element) -> count + 1, caller.materializer());
          world.pass(5 * MS);
          int before = world.nodes.stored.size();
          byte[] payload = new byte[50_000];
          Call<BulkReceipt> bulk =
              world
                  .peer(1)
                  .bulkWrite(
                      SimulatedCluster.STORE,
                      new ArraySource(payload, 0, payload.length),
                      TransferOptions.DEFAULTS.after(ofStream.getFirst()).withToken());
          Call<byte[]> last =
              world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(bulk.token()));
          world.pass(20 * MS);
          assertEquals(List.of(), log);
          assertEquals(before, world.nodes.stored.size());

          world.first.getFirst().complete(NOTHING);
          world.nodes.await(last, SECOND_NS);

          assertEquals(3, seen.toCompletableFuture().getNow(0));
          assertEquals(before + 1, world.nodes.stored.size());
          assertEquals(payload.length, bulk.getNow(null).bytes());
        });
  }

  /** A stream that is held back, and whose dependency fails, is refused. */
  @Test
  void shouldRefuseAStreamWhoseDependencyFails() throws Exception {
    run(
        Where.SAME_PEER,
        "",
        world -> {
          Call<byte[]> first = first(world);
          Call<byte[]> collected =
              Source.range(1, 3)
                  .map(CausalityTest::number)
                  .runWith(
                      world
                          .peer(1)
                          .streamingRequest(SECOND, TransferOptions.DEFAULTS.after(first.token())),
                      world.nodes.transport(CALLER).materializer());
          world.pass(10 * MS);
          assertFalse(collected.isDone());
          world.first.getFirst().completeExceptionally(new IllegalStateException("planned"));
          world.pass(10 * MS);
          assertEquals(CallOutcome.DEPENDENCY_FAILED, failureOf(collected).outcome());
        });
  }

  /** What a scope holds fails with it, and what depends on that. */
  @Test
  void shouldFailWithItsOwner() throws Exception {
    run(
        Where.OTHER_PEER,
        "",
        world -> {
          CausalityScope scope = world.nodes.transport(CALLER).causalityScope();
          CausalityToken done = scope.begin();
          CausalityToken open = scope.begin();
          scope.succeed(done);
          Call<byte[]> after = quick(world, done);
          Call<byte[]> owned =
              scope.own(world.peer(2).unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken()));
          Call<byte[]> critical = quick(world, open);
          Call<byte[]> ofOwned = quick(world, owned.token());
          Call<byte[]> optional =
              world
                  .peer(1)
                  .unary(
                      QUICK,
                      NOTHING,
                      TransferOptions.DEFAULTS.after(open, DependencyKind.OPTIONAL));
          CompletableFuture<Void> stream = new CompletableFuture<>();
          scope.closeWith(stream);
          world.pass(10 * MS);
          assertEquals(0, after.getNow(null).length);
          assertFalse(critical.isDone() || optional.isDone() || ofOwned.isDone());

          stream.completeExceptionally(new IllegalStateException("planned"));
          world.pass(10 * MS);

          assertFailedWith(open, critical);
          assertFailedWith(owned.token(), ofOwned);
          assertTrue(owned.isCancelled());
          assertEquals(0, optional.getNow(null).length);
        });
  }

  private static Call<byte[]> first(World world) {
    return world.peer(1).unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken());
  }

  private static Call<byte[]> quick(World world, CausalityToken token) {
    return world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(token));
  }

  /** A call that a handler makes for its caller fails when that gives up. */
  @Test
  void shouldTieACallToTheOneThatAHandlerServes() throws Exception {
    run(
        Where.OTHER_PEER,
        "",
        world -> {
          Route<byte[], byte[]> relay = Route.of("relay", ByteArrays.CODEC, ByteArrays.CODEC);
          List<Call<byte[]>> relayed = new ArrayList<>();
          List<String> chains = new ArrayList<>();
          world
              .nodes
              .transport(1)
              .serve(
                  relay,
                  (bytes, context) -> {
                    CausalityToken token = context.token().orElseThrow();
                    chains.add(token.correlationId());
                    relayed.add(
                        world
                            .nodes
                            .peer(1, 2)
                            .unary(
                                FIRST,
                                NOTHING,
                                TransferOptions.DEFAULTS.after(
                                    token, DependencyKind.REQUEST_CRITICAL)));
                    return new CompletableFuture<byte[]>();
                  });
          Call<byte[]> call =
              world.peer(1).unary(relay, NOTHING, TransferOptions.DEFAULTS.withToken());
          world.pass(20 * MS);
          assertEquals(1, world.first.size());
          assertEquals(List.of(call.token().correlationId()), chains);
          assertEquals(call.token().correlationId(), relayed.getFirst().token().correlationId());

          call.cancel(false);
          world.pass(20 * MS);

          assertEquals(CallOutcome.DEPENDENCY_FAILED, failureOf(relayed.getFirst()).outcome());
          assertTrue(world.first.getFirst().isCancelled());
        });
  }

  /** A token of a broadcast ends with all of its transfers, or as many as are needed. */
  @Test
  void shouldWaitForABroadcast() throws Exception {
    run(
        Where.OTHER_WORKER,
        "",
        world -> {
          Broadcast broadcast =
              world
                  .nodes
                  .transport(CALLER)
                  .broadcast(
                      SimulatedCluster.STORE,
                      new ArraySource(new byte[9_000], 0, 9_000),
                      NOTHING,
                      List.of(Destination.of(world.peer(1)), Destination.of(world.peer(2))));
          Call<byte[]> all = quick(world, broadcast.token());
          Call<byte[]> one = quick(world, broadcast.token(1));
          assertFalse(all.isDone());
          world.nodes.await(all, SECOND_NS);
          world.nodes.await(one, SECOND_NS);
          assertTrue(broadcast.outcomes().isDone());
        });
  }

  /** Where all slots are taken a call waits for one; its deadline runs, and it can be cancelled. */
  @Test
  void shouldWaitForASlot() throws Exception {
    run(
        Where.SAME_PEER,
        "millrace.causality { initial-slots = 16, max-slots = 64, retained-outcomes = 0 }",
        world -> {
          List<Call<byte[]>> taken = new ArrayList<>();
          for (int i = 0; i < 64; i++) {
            taken.add(world.peer(1).unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken()));
          }
          TransferOptions wanted = TransferOptions.DEFAULTS.withToken();
          Call<byte[]> waiting = world.peer(1).unary(QUICK, NOTHING, wanted);
          Call<byte[]> late =
              world.peer(1).unary(QUICK, NOTHING, wanted.withDeadline(Duration.ofMillis(5)));
          Call<byte[]> cancelled = world.peer(1).unary(QUICK, NOTHING, wanted);
          Call<byte[]> plain = world.peer(1).unary(QUICK, NOTHING);
          cancelled.cancel(false);
          world.pass(20 * MS);
          assertEquals(64, world.slots());
          assertTrue(plain.isDone());
          assertFalse(waiting.isDone());
          assertEquals(CallOutcome.EXPIRED, failureOf(late).outcome());

          world.first.getFirst().complete(NOTHING);
          world.pass(20 * MS);
          assertEquals(0, waiting.getNow(null).length);
          assertEquals(2, world.order.size());
          world.first.forEach(call -> call.complete(NOTHING));
          world.pass(20 * MS);
          assertTrue(taken.stream().allMatch(CompletableFuture::isDone));
        });
  }

  /** A drain waits for what waits for others, which then goes on. */
  @Test
  void shouldDrainWhatWaits() throws Exception {
    run(
        Where.OTHER_PEER,
        "",
        world -> {
          Call<byte[]> first = first(world);
          Call<byte[]> waiting =
              world.peer(2).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(first.token()));
          world.pass(5 * MS);
          CompletableFuture<DrainReport> drained =
              world.nodes.transport(CALLER).drain(Duration.ofSeconds(1)).toCompletableFuture();
          world.pass(100 * MS);
          assertFalse(drained.isDone());

          world.first.getFirst().complete(NOTHING);

          world.nodes.await(drained, SECOND_NS / 2);
          assertEquals(0, waiting.getNow(null).length);
        });
  }
}
