package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Two thousand calls on every kind of faulty network, with a check of each answer and each
 * execution.
 */
final class CheckedCalls {
  private static final RouteId REVERSE = RouteId.of("reverse");
  private static final int CALLS = 2_000;
  private static final int SEED = 7;

  private CheckedCalls() {}

  /** Makes all calls at once, and prints the cost under the name {@code network}. */
  static void make(NodePair nodes, String network) throws Exception {
    AtomicIntegerArray executions = new AtomicIntegerArray(CALLS);
    Raw.serveOnWorker(
        nodes.server(),
        REVERSE,
        call -> {
          executions.incrementAndGet(call.buffer().getInt(call.payloadOffset()));
          byte[] payload = new byte[call.payloadLength()];
          call.buffer().getBytes(call.payloadOffset(), payload);
          call.reply(new SegmentBuffer(reversed(payload)), 0, payload.length);
        });
    List<byte[]> payloads = payloads();
    List<CompletableFuture<UnaryResponse>> futures = new ArrayList<>();
    for (byte[] payload : payloads) {
      futures.add(Raw.unary(nodes.peer(), REVERSE, payload));
    }
    for (int i = 0; i < CALLS; i++) {
      byte[] answer = nodes.await(futures.get(i)).payload();
      assertArrayEquals(reversed(payloads.get(i)), answer, "call " + i);
    }
    for (int i = 0; i < CALLS; i++) {
      assertEquals(1, executions.get(i), "executions of call " + i);
    }
    report(nodes, network);
  }

  /** Returns the number of frames retransmitted by both sides. */
  static long framesSentAgain(NodePair nodes) {
    return worker(nodes.client()).transfers().framesRetransmitted()
        + worker(nodes.server()).transfers().framesRetransmitted();
  }

  private static void report(NodePair nodes, String network) {
    WorkerSnapshot client = worker(nodes.client());
    WorkerSnapshot server = worker(nodes.server());
    System.out.printf(
        "%s: %d frames sent again; declared lost by the client %d of %d packets, by the server"
            + " %d of %d; the server received %d of %d datagrams, the client %d of %d%n",
        network,
        framesSentAgain(nodes),
        client.packets().lost(),
        client.packets().sent(),
        server.packets().lost(),
        server.packets().sent(),
        server.network().datagramsReceived(),
        client.network().datagramsSent(),
        client.network().datagramsReceived(),
        server.network().datagramsSent());
  }

  private static WorkerSnapshot worker(Transport transport) {
    return transport.snapshot().workers().getFirst();
  }

  private static List<byte[]> payloads() {
    Random random = new Random(SEED);
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      byte[] payload = new byte[4 + random.nextInt(1_000)];
      random.nextBytes(payload);
      new SegmentBuffer(payload).putInt(0, i);
      payloads.add(payload);
    }
    return payloads;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
