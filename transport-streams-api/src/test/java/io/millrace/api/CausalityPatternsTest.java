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
import static io.millrace.api.CausalityWorld.quick;
import static io.millrace.api.CausalityWorld.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CausalityWorld.Where;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;

/**
 * Dependencies of transfers other than calls: streams, bulk, broadcasts, scopes, and calls that a
 * handler makes for its caller. Under virtual time.
 */
class CausalityPatternsTest {
  /**
   * Streams and bulk transfers wait for other transfers, and other transfers wait for streams and
   * bulk transfers.
   */
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
                    return Source.range(1, 3).map(CausalityWorld::number);
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
              Raw.bulkWrite(
                  world.peer(1),
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

  /** The peer refuses a held stream after its dependency has failed. */
  @Test
  void shouldRefuseAStreamWhoseDependencyFails() throws Exception {
    run(
        Where.SAME_PEER,
        "",
        world -> {
          Call<byte[]> first = first(world);
          Call<byte[]> collected =
              Source.range(1, 3)
                  .map(CausalityWorld::number)
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

  /** The calls of a scope fail with the scope, and so do the dependent calls. */
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

  /** A call that a handler makes for its caller fails when the caller gives up. */
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

  /**
   * A token of a broadcast ends with all transfers of the broadcast, or with the needed number of
   * transfers.
   */
  @Test
  void shouldWaitForABroadcast() throws Exception {
    run(
        Where.OTHER_WORKER,
        "",
        world -> {
          Broadcast broadcast =
              Raw.broadcast(
                  world.nodes.transport(CALLER),
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
}
