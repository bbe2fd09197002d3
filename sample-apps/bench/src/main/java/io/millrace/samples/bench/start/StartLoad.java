package io.millrace.samples.bench.start;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.transfer.BodyTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * Load between two nodes of a process that touches all their memory: bulk writes side by side, and
 * calls with long answers. For one thread.
 */
final class StartLoad {
  private static final Route<?, ?> BULK = Route.bytes("start/bulk");
  private static final Route<ByteString, ByteString> CALL = Route.bytes("start/call");
  private static final int BULK_BYTES = 16 << 20;
  private static final int ANSWER_BYTES = 512 << 10;
  private static final int AT_ONCE = 8;

  private final Peer peer;

  /** Load from a client node to a server node, which serves the load from now on. */
  StartLoad(Transport client, Transport server) {
    peer = client.peer(server.address());
    ByteString answer = ByteString.fromArrayUnsafe(new byte[ANSWER_BYTES]);
    server.serve(CALL, request -> CompletableFuture.completedFuture(answer));
    server.serveBulkWrites(BULK, offer -> CompletableFuture.completedFuture(new Nowhere()));
  }

  /** Makes a call, so that the nodes have a path. */
  void connect() {
    var _ = peer.unary(CALL, ByteString.emptyByteString()).toCompletableFuture().join();
  }

  /**
   * Loads both nodes for about as long.
   *
   * @return body bytes that arrived
   * @throws CompletionException if a transfer fails
   */
  long run(long seconds) {
    byte[] body = new byte[BULK_BYTES];
    Arrays.fill(body, (byte) 1);
    long moved = 0;
    long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (untilNs - System.nanoTime() > 0) {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        all.add(
            peer.bulkWrite(BULK, BulkSource.of(body), TransferOptions.DEFAULTS)
                .toCompletableFuture());
        all.add(peer.unary(CALL, ByteString.emptyByteString()).toCompletableFuture());
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
      moved += (long) AT_ONCE * (BULK_BYTES + ANSWER_BYTES);
    }
    return moved;
  }

  /** Takes bytes and forgets the bytes. */
  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      // The bytes have no reader.
    }

    @Override
    public void complete() {
      // The receipt already carries the result.
    }

    @Override
    public void abort(Throwable cause) {
      // The sender fails, too.
    }
  }
}
