package io.millrace.api;

import static io.millrace.api.CausalityWorld.CALLER;
import static io.millrace.api.CausalityWorld.FIRST;
import static io.millrace.api.CausalityWorld.MS;
import static io.millrace.api.CausalityWorld.NOTHING;
import static io.millrace.api.CausalityWorld.QUICK;
import static io.millrace.api.CausalityWorld.SECOND;
import static io.millrace.api.CausalityWorld.SECOND_NS;
import static io.millrace.api.CausalityWorld.assertFailedWith;
import static io.millrace.api.CausalityWorld.failureOf;
import static io.millrace.api.CausalityWorld.first;
import static io.millrace.api.CausalityWorld.number;
import static io.millrace.api.CausalityWorld.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CausalityWorld.Where;
import io.millrace.event.RecordingEvents;
import io.millrace.node.DrainReport;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers that wait for other transfers: the four kinds, by the time of the other transfer's
 * failure and by its destination. Under virtual time.
 */
class CausalityTest {
  private static final Route<byte[], byte[]> NAMED =
      Route.of("named", ByteArrays.CODEC, ByteArrays.CODEC);

  private static Stream<Arguments> all() {
    return Stream.of(Where.values())
        .flatMap(
            where -> Stream.of(DependencyKind.values()).map(kind -> Arguments.of(where, kind)));
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

  /** The calls with tokens of one peer leave slots to this node and to other peers. */
  @Test
  void shouldLeaveSlotsToOtherPeersAndToTheNodeItself() throws Exception {
    // rule D-10
    run(
        Where.SAME_PEER,
        "millrace.causality { initial-slots = 16, max-slots = 16 }",
        world -> {
          List<Boolean> named = new ArrayList<>();
          world
              .nodes
              .transport(1)
              .serve(
                  NAMED,
                  (bytes, context) -> {
                    named.add(context.token().isPresent());
                    return CompletableFuture.completedFuture(bytes);
                  });
          TransferOptions withToken = TransferOptions.DEFAULTS.withToken();
          for (int i = 0; i < 16; i++) {
            var _ = world.peer(1).unary(FIRST, NOTHING, withToken);
          }
          world.pass(10 * MS);
          assertEquals(16, world.first.size());
          world.nodes.await(
              world.nodes.peer(1, 2).unary(QUICK, NOTHING, withToken), CausalityWorld.SECOND_NS);
          world.nodes.await(
              world.nodes.peer(2, 1).unary(NAMED, NOTHING, withToken), CausalityWorld.SECOND_NS);
          assertEquals(List.of(true), named);
          world.first.forEach(each -> each.complete(NOTHING));
          world.pass(10 * MS);
        });
  }

  /** Urgent calls do not occupy the places that their dependencies need. */
  @ParameterizedTest
  @EnumSource
  void shouldLeaveThePlacesToWhatItWaitsFor(Where where) throws Exception {
    run(
        where,
        "millrace.limits.executor-queue = 2",
        world -> {
          List<Call<byte[]>> open = List.of(first(world), first(world));
          TransferOptions last = TransferOptions.DEFAULTS.withPriority(7);
          Call<byte[]> other = world.peer(1).unary(QUICK, NOTHING, last.withToken());
          List<Call<byte[]>> calls = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            TransferOptions after = TransferOptions.DEFAULTS.withPriority(i).after(other.token());
            calls.add(world.peer(where.second).unary(QUICK, NOTHING, after));
          }
          world.pass(10 * MS);
          assertEquals(0, world.order.size(), "calls that run while two have the places");

          world.first.forEach(each -> each.complete(NOTHING));
          world.pass(20 * MS);

          assertTrue(open.stream().allMatch(Call::isDone) && other.isDone());
          calls.forEach(call -> assertEquals(0, call.getNow(null).length));
          for (int i = 0; i < 3; i++) {
            var _ = first(world);
          }
          world.pass(10 * MS);
          assertEquals(4, world.first.size(), "there are two places again, and no more");
          world.first.forEach(each -> each.complete(NOTHING));
          world.pass(10 * MS);
          world.first.getLast().complete(NOTHING);
        });
  }

  /**
   * A chain of a thousand calls to one peer takes little more than a round trip, in the order of
   * the calls.
   */
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

  /** A failure in front of a chain ends all calls of the chain, each with the same root. */
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
          RecordingEvents events = new RecordingEvents(1_000);
          world.nodes.transport(CALLER).subscribe(events);
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
          assertEquals(1, events.count("DependencyFailed"));
          world.first.get(2).complete(NOTHING);
          world.pass(10 * MS);
          assertEquals(0, two.getNow(null).length);
        });
  }

  /** A deadline in front of a chain ends all calls of the chain. */
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

  /**
   * If all slots are taken, a call waits for a slot; the deadline runs, and the caller can cancel
   * the call.
   */
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

  /** A drain waits for calls that wait for other calls; the waiting calls then go on. */
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
