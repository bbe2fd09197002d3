package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerCompletionTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final int UNCOUNTED_CALLS = 2_000;
  private static final int COUNTED_CALLS = 2_000;

  /** A call takes less than this many bytes, on average; a call made for each call takes 168. */
  private static final long MOST_BYTES_PER_CALL = 64;

  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Makes one call after another, each from the completion of the call before. */
  private final class Chain implements WorkerCompletion {
    private final Peer peer;
    private final byte[] bytes = new byte[Long.BYTES];
    private final SegmentBuffer request = new SegmentBuffer(bytes);
    private final ByteString payload = ByteString.fromArrayUnsafe(bytes);
    private final CompletableFuture<Long> allocated = new CompletableFuture<>();
    private long made;
    private long startBytes;

    private Chain(Peer peer) {
      this.peer = peer;
    }

    private void next() {
      made++;
      request.putLong(0, made);
      peer.unaryOnWorker(ECHO, payload, TransferOptions.DEFAULTS, this);
    }

    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
      if (payloadLength != Long.BYTES || buffer.getLong(payloadOffset) != made) {
        allocated.completeExceptionally(new AssertionError("the answer to call " + made));
        return;
      }
      if (made == UNCOUNTED_CALLS) {
        startBytes = threads.getCurrentThreadAllocatedBytes();
      }
      if (made == UNCOUNTED_CALLS + COUNTED_CALLS) {
        allocated.complete(threads.getCurrentThreadAllocatedBytes() - startBytes);
      } else {
        next();
      }
    }

    @Override
    public void onFailure(CallException failure) {
      allocated.completeExceptionally(failure);
    }
  }

  @Test
  void shouldMakeCallsFromCompletionsWithoutAllocatingThem() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serveOnWorker(
          ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Chain chain = new Chain(nodes.peer());
      chain.next();
      long bytes = chain.allocated.get(20, TimeUnit.SECONDS);
      assertTrue(bytes < COUNTED_CALLS * MOST_BYTES_PER_CALL, bytes + " bytes");
    }
  }

  @Test
  void shouldGiveEachCallItsOwnCompletionThoughCallsAreMadeAnew() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serveOnWorker(
          ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Chain[] chains = new Chain[8];
      for (int i = 0; i < chains.length; i++) {
        chains[i] = new Chain(nodes.peer());
        chains[i].next();
      }
      for (Chain chain : chains) {
        chain.allocated.get(20, TimeUnit.SECONDS);
        assertEquals(UNCOUNTED_CALLS + COUNTED_CALLS, chain.made);
      }
    }
  }
}
