package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers and completions stay off the workers, and no answer is lost on its way back. */
@Timeout(60)
class ExecutorTest {
  private static final RouteId ECHO = RouteId.of("echo");

  @Test
  void shouldCompleteEveryAcceptedCallOnTheExecutorHoweverFullItIs() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));
        TwoNodes nodes =
            new TwoNodes(
                "millrace.limits { executor-queue = 4, waiting-submissions = 0 }",
                b -> b,
                b -> b.executor(executor, 1))) {
      Raw.serveOnWorker(nodes.server, ECHO, call -> call.reply(0, 0));
      Peer peer = nodes.peer();
      peer.connect().get(20, TimeUnit.SECONDS);
      executor.execute(() -> await(release));
      List<CompletableFuture<String>> threads = new ArrayList<>();
      CompletableFuture<UnaryResponse> last = new CompletableFuture<>();
      for (int i = 0; i < 4; i++) {
        last = Raw.unary(peer, ECHO, new byte[1]);
        threads.add(last.thenApply(answer -> Thread.currentThread().getName()));
      }
      assertEquals(CallOutcome.SUBMISSION_FULL, outcome(Raw.unary(peer, ECHO, new byte[1])));
      CountDownLatch answered = new CountDownLatch(1);
      Raw.unary(peer, request(), completion(answered));
      assertTrue(answered.await(20, TimeUnit.SECONDS));
      release.countDown();
      for (CompletableFuture<String> thread : threads) {
        assertEquals("application", thread.get(20, TimeUnit.SECONDS));
      }
      last.get(20, TimeUnit.SECONDS);
      Raw.unary(peer, ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldLoseNoAnswerWhileTheRingsAreFull() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.workers.submission-depth = 2");
        ExecutorService flood = Executors.newFixedThreadPool(2)) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Peer back = nodes.server.peer(nodes.client.address());
      Raw.serveOnWorker(nodes.client, ECHO, call -> call.reply(0, 0));
      Peer peer = nodes.peer();
      peer.connect().get(20, TimeUnit.SECONDS);
      AtomicBoolean stop = new AtomicBoolean();
      for (int thread = 0; thread < 2; thread++) {
        flood.execute(() -> flood(back, stop));
      }
      try {
        for (int round = 0; round < 100; round++) {
          echo(peer);
        }
      } finally {
        stop.set(true);
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway") // an answer of null, as from a handler without a null checker
  void shouldTellTheCallerThatAnAnswerWasNull() throws Exception {
    RouteId nullStage = RouteId.of("null stage");
    RouteId nullAnswer = RouteId.of("null answer");
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of((byte[]) null)));
      Raw.serve(nodes.server, nullStage, call -> null);
      Raw.serve(nodes.server, nullAnswer, call -> CompletableFuture.completedFuture(null));
      for (RouteId route : List.of(ECHO, nullStage, nullAnswer)) {
        assertEquals(
            CallOutcome.HANDLER_FAILED, outcome(Raw.unary(nodes.peer(), route, new byte[1])));
      }
      assertEquals(0, nodes.serverEvents().count("WorkerFault"));
      assertEquals(0, nodes.serverEvents().count("PeerFault"));
      assertThrows(NullPointerException.class, () -> Raw.unary(nodes.peer(), ECHO, null));
    }
  }

  @Test
  void shouldAnswerOverloadedWhileTheExecutorRefuses() throws Exception {
    AtomicBoolean refusing = new AtomicBoolean(true);
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        TwoNodes nodes =
            new TwoNodes(
                "",
                b ->
                    b.executor(
                        task -> {
                          if (refusing.get()) {
                            throw new RejectedExecutionException("planted");
                          }
                          executor.execute(task);
                        },
                        2),
                b -> b)) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      assertEquals(CallOutcome.OVERLOADED, outcome(Raw.unary(nodes.peer(), ECHO, new byte[1])));
      refusing.set(false);
      Raw.unary(nodes.peer(), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
    }
  }

  private static void flood(Peer peer, AtomicBoolean stop) {
    while (!stop.get()) {
      Raw.unary(peer, request(), completion(new CountDownLatch(1)));
    }
  }

  private static void echo(Peer peer) throws Exception {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      calls.add(Raw.unary(peer, ECHO, new byte[] {(byte) i}));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertArrayEquals(new byte[] {(byte) i}, calls.get(i).get(20, TimeUnit.SECONDS).payload());
    }
  }

  private static UnaryRequest request() {
    return UnaryRequest.of(ECHO, new byte[1]);
  }

  private static WorkerCompletion completion(CountDownLatch answered) {
    return new WorkerCompletion() {
      @Override
      public void onResponse(DirectBuffer buffer, int payloadOffset, int length) {
        answered.countDown();
      }

      @Override
      public void onFailure(CallException failure) {
        // Too many calls for these rings, which is the purpose of the test.
      }
    };
  }

  private static CallOutcome outcome(CompletableFuture<UnaryResponse> future) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause()).outcome();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
