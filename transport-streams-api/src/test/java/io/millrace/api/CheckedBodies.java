package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.region.WorkerRegions;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Large calls and bulk transfers both ways, on every kind of faulty network. The class checks bytes
 * and executions one by one, and checks that no resources are left.
 */
final class CheckedBodies {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final int CALLS = 50;
  private static final int CALL_BYTES = 100_000;
  private static final int BULK_BYTES = 8 << 20;

  private CheckedBodies() {}

  /** Makes all transfers at once, and prints the cost under the name {@code network}. */
  static void make(NodePair nodes, String network) throws Exception {
    AtomicIntegerArray executions = new AtomicIntegerArray(CALLS);
    List<BodyTest.Collector> stored = new ArrayList<>();
    byte[] written = BodyTest.random(BULK_BYTES, 1);
    byte[] kept = BodyTest.random(BULK_BYTES, 2);
    serve(nodes.server(), executions, stored, kept);
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(Raw.unary(nodes.peer(), ECHO, payload(i)));
    }
    BodyTest.Collector fetched = new BodyTest.Collector();
    var write =
        Raw.bulkWrite(
            nodes.peer(), STORE, new ArraySource(written, 0, BULK_BYTES), TransferOptions.DEFAULTS);
    var read = Raw.bulkRead(nodes.peer(), FETCH, fetched, TransferOptions.DEFAULTS);
    for (int i = 0; i < CALLS; i++) {
      assertArrayEquals(payload(i), nodes.await(calls.get(i)).payload(), "call " + i);
    }
    assertEquals(BULK_BYTES, nodes.await(write).bytes());
    assertEquals(BULK_BYTES, nodes.await(read).bytes());
    assertEquals(1, stored.size());
    assertArrayEquals(written, stored.getFirst().bytes.toByteArray());
    assertArrayEquals(kept, fetched.bytes.toByteArray());
    for (int i = 0; i < CALLS; i++) {
      assertEquals(1, executions.get(i), "executions of call " + i);
    }
    assertNothingKept(nodes, nodes.client());
    assertNothingKept(nodes, nodes.server());
    report(nodes, network);
  }

  private static void serve(
      Transport server,
      AtomicIntegerArray executions,
      List<BodyTest.Collector> stored,
      byte[] kept) {
    Raw.serve(
        server,
        ECHO,
        call -> {
          executions.incrementAndGet(new SegmentBuffer(call.payload()).getInt(0));
          return CompletableFuture.completedFuture(
              new UnaryResponse(call.headers(), call.payload()));
        });
    Raw.serveBulkWrites(
        server,
        STORE,
        offer -> {
          BodyTest.Collector target = new BodyTest.Collector();
          stored.add(target);
          return CompletableFuture.completedFuture(target);
        });
    Raw.serveBulkReads(
        server,
        FETCH,
        offer -> CompletableFuture.completedFuture(new ArraySource(kept, 0, BULK_BYTES)));
  }

  private static byte[] payload(int call) {
    byte[] payload = BodyTest.random(CALL_BYTES, call);
    new SegmentBuffer(payload).putInt(0, call);
    return payload;
  }

  /** Waits until every buffer is free and no fill is under way; fails if this state never comes. */
  private static void assertNothingKept(NodePair nodes, Transport transport) {
    var buffers = transport.pool().buffers();
    WorkerRegions regions = Objects.requireNonNull(transport.pool().port(0).regions());
    nodes.awaitUntil(() -> buffers.usedBytes() == 0 && regions.busyRegions() == 0);
    assertEquals(0, buffers.usedBytes());
    assertEquals(buffers.totalBytes(), buffers.freeBytes());
    assertTrue(buffers.outstanding().isEmpty());
    assertEquals(0, regions.busyRegions());
  }

  /** Returns the counters of worker 0. */
  static WorkerSnapshot.Bodies counted(Transport transport) {
    return transport.snapshot().workers().getFirst().bodies();
  }

  private static void report(NodePair nodes, String network) {
    WorkerSnapshot client = nodes.client().snapshot().workers().getFirst();
    WorkerSnapshot server = nodes.server().snapshot().workers().getFirst();
    System.out.printf(
        "%s: at the client %s, %s, %d packets lost; at the server %s, %s, %d packets lost%n",
        network,
        client.bodies().regions(),
        client.bodies().records(),
        client.packets().lost(),
        server.bodies().regions(),
        server.bodies().records(),
        server.packets().lost());
  }
}
