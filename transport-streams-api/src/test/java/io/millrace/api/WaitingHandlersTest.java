package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.loop.BlockingRefusedException;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers, completions and receivers that wait for calls of their node come to an end. */
@Timeout(60)
class WaitingHandlersTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId WAIT = RouteId.of("wait");
  private static final int MANY = 64;
  private static final int LARGE_BYTES = 10_000;

  private static CompletableFuture<UnaryResponse> done(byte[] payload) {
    return CompletableFuture.completedFuture(UnaryResponse.of(payload));
  }

  /** Makes this number of calls at once; each answer repeats its request. */
  private static void callMany(Peer peer, RouteId route, int bytes) {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      byte[] payload = new byte[bytes];
      payload[0] = (byte) i;
      calls.add(Raw.unary(peer, route, payload));
    }
    for (int i = 0; i < MANY; i++) {
      byte[] answer = calls.get(i).orTimeout(20, TimeUnit.SECONDS).join().payload();
      assertEquals(i, answer[0]);
    }
  }

  @Test
  void shouldEndHandlersThatWaitForCallsThoughTheyAreMoreThanThreads() {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(nodes.client, ECHO, call -> done(call.payload()));
      Peer back = nodes.server.peer(nodes.client.address());
      Raw.serve(
          nodes.server, WAIT, call -> done(Raw.unary(back, ECHO, call.payload()).join().payload()));
      callMany(nodes.peer(), WAIT, 1);
      callMany(nodes.peer(), WAIT, LARGE_BYTES);
    }
  }

  @Test
  void shouldEndHandlersThatHaveAllThreadsOfAnExecutorWithOthersForCompletions() {
    int threads = 2;
    try (ExecutorService executor = Executors.newFixedThreadPool(2 * threads);
        TwoNodes nodes = new TwoNodes("", b -> b.executor(executor, threads), b -> b)) {
      Raw.serve(nodes.client, ECHO, call -> done(call.payload()));
      Peer back = nodes.server.peer(nodes.client.address());
      Raw.serve(
          nodes.server, WAIT, call -> done(Raw.unary(back, ECHO, call.payload()).join().payload()));
      callMany(nodes.peer(), WAIT, 1);
    }
  }

  @Test
  void shouldEndHandlersThatWaitForHandlersOfTheirOwnNode() {
    try (TwoNodes nodes = new TwoNodes("")) {
      RouteId back = RouteId.of("back");
      Peer client = nodes.server.peer(nodes.client.address());
      Raw.serve(nodes.server, ECHO, call -> done(call.payload()));
      Raw.serve(
          nodes.client,
          back,
          call -> done(Raw.unary(nodes.peer(), ECHO, call.payload()).join().payload()));
      Raw.serve(
          nodes.server,
          WAIT,
          call -> done(Raw.unary(client, back, call.payload()).join().payload()));
      callMany(nodes.peer(), WAIT, 1);
    }
  }

  @Test
  void shouldEndCompletionsThatWaitForCalls() {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(nodes.server, ECHO, call -> done(call.payload()));
      Peer peer = nodes.peer();
      Function<UnaryResponse, byte[]> again =
          first -> Raw.unary(peer, ECHO, first.payload()).join().payload();
      List<CompletableFuture<byte[]>> calls = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        calls.add(Raw.unary(peer, ECHO, new byte[] {(byte) i}).thenApply(again));
      }
      for (int i = 0; i < MANY; i++) {
        assertArrayEquals(
            new byte[] {(byte) i}, calls.get(i).orTimeout(20, TimeUnit.SECONDS).join());
      }
    }
  }

  @Test
  void shouldRefuseToWaitOnTheThreadOfAWorker() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(nodes.client, ECHO, call -> done(call.payload()));
      Peer back = nodes.server.peer(nodes.client.address());
      Raw.serveOnWorker(
          nodes.server,
          WAIT,
          call -> {
            CompletableFuture<byte[]> answer =
                Raw.unary(back, ECHO, new byte[1]).thenApply(UnaryResponse::payload);
            assertThrows(BlockingRefusedException.class, () -> answer.get(1, TimeUnit.SECONDS));
            assertThrows(BlockingRefusedException.class, answer::get);
            assertThrows(BlockingRefusedException.class, answer::join);
            call.reply(0, 0);
          });
      Raw.unary(nodes.peer(), WAIT, new byte[1]).get(20, TimeUnit.SECONDS);
      CountDownLatch told = new CountDownLatch(1);
      List<Throwable> refusals = new ArrayList<>();
      Raw.unary(
          nodes.peer(),
          new UnaryRequest(WAIT, new byte[1], TransferOptions.DEFAULTS),
          new WorkerCompletion() {
            @Override
            public void onResponse(DirectBuffer buffer, int offset, int length) {
              refusals.add(
                  assertThrows(
                      BlockingRefusedException.class,
                      () -> Raw.unary(nodes.peer(), WAIT, new byte[1]).join()));
              told.countDown();
            }

            @Override
            public void onFailure(CallException failure) {
              told.countDown();
            }
          });
      assertTrue(told.await(20, TimeUnit.SECONDS));
      assertEquals(1, refusals.size());
    }
  }

  @Test
  void shouldRefuseToStartANodeOnTheThreadOfAWorker() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Transport.Builder builder = Transport.builder(TwoNodes.small(""));
      CompletableFuture<Transport> started = new CompletableFuture<>();
      Raw.serveOnWorker(
          nodes.server,
          WAIT,
          call -> {
            try {
              started.complete(builder.start());
            } catch (BlockingRefusedException e) {
              started.completeExceptionally(e);
            }
            call.reply(0, 0);
          });
      Raw.unary(nodes.peer(), WAIT, new byte[1]).get(20, TimeUnit.SECONDS);
      ExecutionException refusal =
          assertThrows(ExecutionException.class, () -> started.get(20, TimeUnit.SECONDS).close());
      assertInstanceOf(BlockingRefusedException.class, refusal.getCause());
    }
  }
}
