package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting handlers and completions delay no other task while the executor has a free thread. */
@Timeout(60)
class BlockingTasksTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId WAIT = RouteId.of("wait");
  private static final int THREADS = 3;

  private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
  private final TwoNodes nodes =
      new TwoNodes("", b -> b.executor(executor, THREADS), b -> b.executor(executor, THREADS));

  @AfterEach
  void close() {
    nodes.close();
    executor.shutdownNow();
  }

  private static void serveEcho(Transport transport) {
    Raw.serve(transport, ECHO, call -> done(call.payload()));
  }

  private static CompletableFuture<UnaryResponse> done(byte[] payload) {
    return CompletableFuture.completedFuture(UnaryResponse.of(payload));
  }

  private static byte[] get(CompletableFuture<UnaryResponse> call) {
    try {
      return call.get(20, TimeUnit.SECONDS).payload();
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }

  @Test
  void shouldCompleteTheCallThatAHandlerWaitsFor() {
    serveEcho(nodes.client);
    Peer back = nodes.server.peer(nodes.client.address());
    Raw.serve(nodes.server, WAIT, call -> done(get(Raw.unary(back, ECHO, call.payload()))));
    assertArrayEquals(new byte[] {7}, get(Raw.unary(nodes.peer(), WAIT, new byte[] {7})));
  }

  @Test
  void shouldCompleteTheCallThatACompletionWaitsFor() {
    serveEcho(nodes.server);
    Peer peer = nodes.peer();
    CompletableFuture<byte[]> second =
        Raw.unary(peer, ECHO, new byte[] {7})
            .thenApply(first -> get(Raw.unary(peer, ECHO, first.payload())));
    assertArrayEquals(new byte[] {7}, second.orTimeout(30, TimeUnit.SECONDS).join());
  }

  @Test
  void shouldRunAsManyHandlersAtOnceAsTheExecutorMay() {
    CountDownLatch all = new CountDownLatch(THREADS);
    Raw.serve(
        nodes.server,
        WAIT,
        call -> {
          all.countDown();
          return done(new byte[] {(byte) (all.await(20, TimeUnit.SECONDS) ? 1 : 0)});
        });
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      calls.add(Raw.unary(nodes.peer(), WAIT, new byte[0]));
    }
    calls.forEach(call -> assertArrayEquals(new byte[] {1}, get(call)));
  }
}
