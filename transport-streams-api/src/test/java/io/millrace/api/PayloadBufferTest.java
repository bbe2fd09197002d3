package io.millrace.api;

import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that the application writes: sealed once for every carriage, and given back. */
@Timeout(120)
class PayloadBufferTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final Route<ByteString, ByteString> STORE = Route.bytes("store");
  private static final Headers HEADERS = Headers.of("kind", "filled");
  private static final int PEERS = 64;

  /** More bytes than a range, with a partial record at the end. */
  private static final byte[] BYTES = BodyTest.random(300_001, 3);

  private static final int RECORDS = 5;
  private static final World.Settings POOLS =
      new World.Settings("", "millrace.transfers { buffer-pool = 4 MiB, broadcast-pool = 2 MiB }");

  private static Stream<Arguments> everywhere(TestInfo test) {
    return Combinations.dealt(Protection.values(), PatternWorld.all(test));
  }

  private static SealedPayload filled(NodePair nodes, Protection protection) throws Exception {
    PayloadBuffer buffer =
        await(nodes, nodes.client().allocate(BYTES.length + 70_000, HEADERS, protection));
    int half = 100_000;
    buffer.put(BYTES, 0, half).put(ByteString.fromArray(BYTES, half, BYTES.length - half));
    assertEquals(BYTES.length, buffer.length());
    return await(nodes, buffer.fill());
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void shouldSealOnceWhatGoesToManyInThreePatterns(Protection protection, PatternWorld world)
      throws Exception {
    world.run(
        POOLS,
        nodes -> {
          List<BodyTest.Collector> stored = Collections.synchronizedList(new ArrayList<>());
          nodes
              .server()
              .serveBulkWrites(
                  STORE,
                  offer -> {
                    assertEquals(HEADERS, offer.headers());
                    BodyTest.Collector target = new BodyTest.Collector();
                    stored.add(target);
                    return CompletableFuture.completedFuture(target);
                  });
          nodes
              .server()
              .serve(
                  ECHO,
                  (request, context) -> {
                    assertEquals(HEADERS, context.headers());
                    return CompletableFuture.completedFuture(request);
                  });
          long before = nodes.client().snapshot().buffers().recordsSealed();
          SealedPayload payload = filled(nodes, protection);
          Peer peer = nodes.peer();

          Broadcast broadcast =
              nodes
                  .client()
                  .broadcast(STORE, payload, Collections.nCopies(PEERS, Destination.of(peer)));
          Call<?> written = peer.bulkWrite(STORE, payload, TransferOptions.DEFAULTS);
          Call<ByteString> answered = peer.unary(ECHO, payload, TransferOptions.DEFAULTS);
          payload.close();

          assertArrayEquals(BYTES, await(nodes, answered).toArray());
          await(nodes, written);
          for (DeliveryOutcome outcome : await(nodes, broadcast.outcomes())) {
            assertEquals(CallOutcome.OK, outcome.outcome());
          }
          assertEquals(PEERS + 1, stored.size());
          stored.forEach(each -> assertArrayEquals(BYTES, each.bytes.toByteArray()));
          assertEquals(RECORDS, nodes.client().snapshot().buffers().recordsSealed() - before);
          assertEquals(0, payload.refCount());
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldGiveBackWhatIsNotSent(World world) throws Exception {
    world.run(
        StreamChecks.CLEAN,
        POOLS,
        (nodes, driver) -> {
          PayloadBuffer closed = await(nodes, nodes.client().allocate(BYTES.length));
          closed.put(BYTES, 0, 10);
          closed.close();
          assertTrue(isUnused(nodes));
          assertThrows(IllegalStateException.class, () -> closed.put(BYTES, 0, 1));

          PayloadBuffer small = await(nodes, nodes.client().allocate(10));
          assertThrows(IndexOutOfBoundsException.class, () -> small.put(BYTES, 0, 11));
          SealedPayload payload = await(nodes, small.put(BYTES, 0, 3).fill());
          assertEquals(3, payload.payloadBytes());
          assertThrows(IllegalStateException.class, small::fill);
          assertThrows(IllegalStateException.class, () -> small.put(BYTES, 0, 1));

          CallException unserved =
              failure(nodes, nodes.peer().unary(ECHO, payload, TransferOptions.DEFAULTS));
          assertEquals(CallOutcome.UNKNOWN_ROUTE, unserved.outcome());
          assertEquals(CallOutcome.Execution.NO, unserved.wasExecuted());
          payload.close();
          assertThrows(
              IllegalStateException.class,
              () -> nodes.peer().unary(ECHO, payload, TransferOptions.DEFAULTS));
          assertTrue(isUnused(nodes));
        });
  }

  private static boolean isUnused(NodePair nodes) {
    return nodes.awaitUntil(() -> nodes.client().snapshot().buffers().usedBytes() == 0);
  }

  @Test
  void shouldRefuseMoreThanThereWillEverBe() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.transfers.broadcast-pool = 1 MiB")) {
      CallException tooLong = failure(nodes, nodes.client().allocate(64 << 20));
      assertEquals(CallOutcome.PAYLOAD_TOO_LARGE, tooLong.outcome());
      PayloadBuffer most = await(nodes, nodes.client().allocate(900 << 10));
      CallException none = failure(nodes, nodes.client().allocate(900 << 10));
      assertEquals(CallOutcome.SUBMISSION_FULL, none.outcome());
      assertTrue(none.isRetryable());
      most.close();
    }
  }

  @Test
  void shouldFailAFillWhoseNodeIsClosed() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      PayloadBuffer buffer = await(nodes, nodes.client().allocate(100));
      nodes.client().close();
      assertThrows(IllegalStateException.class, () -> buffer.put(BYTES, 0, 1));
      assertEquals(CallOutcome.CLOSED, failure(nodes, buffer.fill()).outcome());
    }
  }
}
