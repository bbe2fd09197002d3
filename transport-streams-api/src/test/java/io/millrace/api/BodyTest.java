package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and responses larger than a datagram, between two real nodes. */
@Timeout(60)
class BodyTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId ON_WORKER = RouteId.of("worker-echo");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");

  /** A target that collects the received bytes. */
  static class Collector implements BodyTarget {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final CompletableFuture<Boolean> end = new CompletableFuture<>();

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes.write(from, offset, length);
    }

    @Override
    public void complete() {
      end.complete(true);
    }

    @Override
    public void abort(Throwable cause) {
      end.complete(false);
    }
  }

  static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000, 9_000, 65_535, 65_536, 65_537, 262_144, 262_145, 3_000_001})
  void shouldEchoRequestsOfAnyLength(int length) throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          ECHO,
          call ->
              CompletableFuture.completedFuture(new UnaryResponse(call.headers(), call.payload())));
      Raw.serveOnWorker(
          nodes.server,
          ON_WORKER,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      byte[] payload = random(length, length);
      byte[] headers = random(17, 3);
      UnaryRequest request =
          new UnaryRequest(ECHO, payload, TransferOptions.DEFAULTS.withHeaders(headers));
      for (int i = 0; i < 3; i++) {
        UnaryResponse response = Raw.unary(nodes.peer(), request).get(20, TimeUnit.SECONDS);
        assertArrayEquals(payload, response.payload());
        assertArrayEquals(headers, response.headers());
        UnaryResponse other = Raw.unary(nodes.peer(), ON_WORKER, payload).get(20, TimeUnit.SECONDS);
        assertArrayEquals(payload, other.payload());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 1_000_000, 30_000_000})
  void shouldMoveBulkBothWays(int length) throws Exception {
    byte[] payload = random(length, length);
    List<Collector> stored = new ArrayList<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkWrites(
          nodes.server,
          STORE,
          offer -> {
            Collector target = new Collector();
            stored.add(target);
            return CompletableFuture.completedFuture(target);
          });
      Raw.serveBulkReads(
          nodes.server,
          FETCH,
          offer -> CompletableFuture.completedFuture(new ArraySource(payload, 0, payload.length)));
      BulkReceipt written =
          Raw.bulkWrite(
                  nodes.peer(),
                  STORE,
                  new ArraySource(payload, 0, length),
                  TransferOptions.DEFAULTS)
              .get(30, TimeUnit.SECONDS);
      assertEquals(length, written.bytes());
      assertArrayEquals(payload, stored.getFirst().bytes.toByteArray());
      Collector fetched = new Collector();
      BulkReceipt read =
          Raw.bulkRead(nodes.peer(), FETCH, fetched, TransferOptions.DEFAULTS)
              .get(30, TimeUnit.SECONDS);
      assertEquals(length, read.bytes());
      assertArrayEquals(payload, fetched.bytes.toByteArray());
    }
  }
}
