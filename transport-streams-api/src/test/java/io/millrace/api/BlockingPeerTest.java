package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.blocking.BlockingPeer;
import io.millrace.api.blocking.BlockingServer;
import io.millrace.api.blocking.Conversation;
import io.millrace.api.blocking.Rows;
import io.millrace.api.blocking.Upload;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.codec.Codec;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plain Java waits for answers, rows, demand and files, and each of these waits has an end. */
@Timeout(60)
class BlockingPeerTest {
  private static final int MOST_ROWS = 16;
  private static final int UNLUCKY = 1_000_013;
  private static final int WINDOW = 16;
  private static final String SMALL_WINDOW = "millrace.streams.window = " + WINDOW;
  private static final Route<Integer, Integer> NUMBERS =
      Route.of("numbers", new Decimal(), new Decimal());

  /** Numbers in decimal digits; one number has no encoding. */
  private static final class Decimal implements Codec<Integer> {
    @Override
    public ByteString encode(Integer value) {
      if (value == UNLUCKY) {
        throw new IllegalArgumentException("this number brings bad luck");
      }
      return ByteString.fromString(value.toString());
    }

    @Override
    public Integer decode(ByteString message) {
      return Integer.valueOf(message.utf8String());
    }
  }

  private static BlockingPeer peer(TwoNodes nodes) {
    return BlockingPeer.of(nodes.client, nodes.server.address());
  }

  private static CallOutcome outcome(Runnable code) {
    return assertThrows(CallException.class, code::run).outcome();
  }

  @Test
  void shouldReturnAnswersInAllPatterns(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("from"), KnownBytes.of(1, 100_000));
    Path copy = directory.resolve("to");
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serve(
          NUMBERS,
          (number, context) -> {
            context.answerHeaders(Headers.of("half", "" + number / 2));
            return CompletableFuture.completedFuture(2 * number);
          });
      Route<?, ?> files = Route.bytes("files");
      nodes.server.serveBulkReads(
          files, offer -> CompletableFuture.completedFuture(BulkSource.file(file)));
      nodes.server.serveBulkWrites(
          files, offer -> CompletableFuture.completedFuture(BulkTarget.file(copy)));
      BlockingPeer peer = peer(nodes);
      peer.connect();
      assertEquals(42, peer.call(NUMBERS, 21));
      Response<Integer> response = peer.callWithHeaders(NUMBERS, 8, TransferOptions.DEFAULTS);
      assertEquals("4", response.headers().text("half").orElseThrow());
      assertEquals(CallOutcome.SOURCE_FAILED, outcome(() -> peer.call(NUMBERS, UNLUCKY)));
      Path read = directory.resolve("read");
      assertEquals(100_000, peer.bulkRead(files, read).bytes());
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(read));
      peer.bulkWrite(files, file, TransferOptions.DEFAULTS);
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(copy));
    }
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serveStreamingResponse(NUMBERS, last -> Source.range(1, last));
      List<Integer> got = new ArrayList<>();
      try (Rows<Integer> rows = peer(nodes).scan(NUMBERS, 500)) {
        assertTrue(rows.headers().isEmpty());
        rows.forEach(got::add);
        assertThrows(IllegalStateException.class, rows::iterator);
      }
      assertEquals(IntStream.rangeClosed(1, 500).boxed().toList(), got);
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  @Test
  void shouldUploadAndConverse() {
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOW)) {
      Route<Integer, Integer> echo = Route.of("echo", new Decimal(), new Decimal());
      nodes.server.serveStreamingRequest(
          NUMBERS, requests -> requests.runFold(0, Integer::sum, nodes.server.materializer()));
      nodes.server.serveBidirectional(echo, requests -> requests.map(number -> -number));
      BlockingPeer peer = peer(nodes);
      try (Upload<Integer, Integer> upload = peer.upload(NUMBERS)) {
        for (int number = 100; number < 200; number++) {
          assertTrue(upload.send(number));
        }
        assertEquals(14_950, upload.finish());
      }
      try (Upload<Integer, Integer> upload = peer.upload(NUMBERS)) {
        upload.send(UNLUCKY);
        assertEquals(CallOutcome.SOURCE_FAILED, outcome(upload::finish));
      }
      try (Conversation<Integer, Integer> conversation = peer.converse(echo)) {
        Iterator<Integer> responses = conversation.responses().iterator();
        for (int number = 20; number < 120; number++) {
          conversation.send(number);
          assertEquals(-number, responses.next());
        }
        conversation.finishRequests();
        assertFalse(responses.hasNext());
      }
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  /** The loop, the queue of the rows and the window of the stream hold the sender exactly. */
  @Test
  void shouldLetTheServerRunAheadByTheBoundAndNoFurther() {
    AtomicInteger made = new AtomicInteger();
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOW)) {
      nodes.server.serveStreamingResponse(
          NUMBERS, last -> Source.range(100, last).map(number -> made(made, number)));
      nodes.server.serve(NUMBERS, number -> CompletableFuture.completedFuture(number));
      try (Rows<Integer> rows = peer(nodes).scan(NUMBERS, 5_000)) {
        assertEquals(4_901, readAll(rows, nodes, made));
      }
    }
  }

  private static int readAll(Rows<Integer> rows, TwoNodes nodes, AtomicInteger made) {
    int bound = MOST_ROWS + WINDOW;
    int read = 0;
    for (Integer row : rows) {
      assertEquals(100 + read, row);
      read++;
      int present = made.get();
      assertTrue(present <= read + bound, present + " rows made, " + read + " read");
      if (read % 1_000 == 0) {
        requireHeld(nodes, made, read + WINDOW, read + bound);
      }
    }
    return read;
  }

  /** Calls meanwhile give an unbounded sender the time to run further ahead. */
  private static void requireHeld(TwoNodes nodes, AtomicInteger made, int fewest, int most) {
    assertTrue(nodes.awaitUntil(() -> made.get() >= fewest), "the window stays shut");
    for (int call = 0; call < 50; call++) {
      peer(nodes).call(NUMBERS, call);
    }
    int present = made.get();
    assertTrue(present <= most, present + " rows made, at most " + most);
  }

  private static int made(AtomicInteger count, int number) {
    count.incrementAndGet();
    return number;
  }

  @Test
  void shouldHoldTheSenderBackWithoutDemand() throws Exception {
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    CompletableFuture<Source<Integer, NotUsed>> requests = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOW);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      nodes.server.serveStreamingRequest(
          NUMBERS,
          source -> {
            requests.complete(source);
            return answer;
          });
      AtomicInteger sent = new AtomicInteger();
      try (Upload<Integer, Integer> upload = peer(nodes).upload(NUMBERS)) {
        Future<?> sending =
            threads.submit(
                () -> {
                  while (sent.get() < 1_000 && upload.send(100)) {
                    sent.incrementAndGet();
                  }
                });
        int most = MOST_ROWS + WINDOW;
        assertTrue(nodes.awaitUntil(() -> sent.get() >= most), "the window stays shut");
        requests.get().take(5).runWith(Sink.ignore(), nodes.server.materializer());
        sending.get();
        assertTrue(sent.get() < 5 + 2 * most, "sent " + sent.get());
        answer.complete(1);
        assertEquals(1, upload.finish());
      }
    }
  }

  @Test
  void shouldCancelAtTheServerWhenRowsAreClosed() throws Exception {
    CompletableFuture<CompletionStage<?>> ended = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serveStreamingResponse(
          NUMBERS,
          last ->
              Source.repeat(last)
                  .watchTermination(
                      (value, done) -> {
                        ended.complete(done);
                        return value;
                      }));
      Rows<Integer> rows = peer(nodes).scan(NUMBERS, 7);
      Iterator<Integer> iterator = rows.iterator();
      assertEquals(7, iterator.next());
      assertTrue(StreamCensus.open(nodes.client) > 0, "a stream that is not closed is counted");
      rows.close();
      rows.close();
      assertEquals(CallOutcome.CANCELLED, outcome(iterator::next));
      nodes.await(ended.thenCompose(done -> done));
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  @Test
  void shouldCancelAnUploadThatIsClosedAheadOfItsResponse() {
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serveStreamingRequest(
          NUMBERS,
          requests -> requests.runWith(Sink.fold(0, Integer::sum), nodes.server.materializer()));
      Upload<Integer, Integer> upload = peer(nodes).upload(NUMBERS);
      upload.close();
      assertEquals(CallOutcome.CANCELLED, outcome(upload::finish));
      assertThrows(IllegalStateException.class, () -> upload.send(1));
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  @Test
  void shouldEndEveryWaitAtItsDeadline() {
    TransferOptions soon = TransferOptions.DEFAULTS.withDeadline(Duration.ofMillis(50));
    try (TwoNodes nodes = new TwoNodes("")) {
      serveNothing(nodes.server);
      BlockingPeer peer = peer(nodes);
      peer.connect();
      assertEquals(CallOutcome.EXPIRED, outcome(() -> peer.call(NUMBERS, 1, soon)));
      try (Rows<Integer> rows = peer.scan(NUMBERS, 1, soon)) {
        assertEquals(CallOutcome.EXPIRED, outcome(rows.iterator()::next));
      }
      Route<Integer, Integer> more = Route.of("more", new Decimal(), new Decimal());
      nodes.server.serveStreamingRequest(more, requests -> new CompletableFuture<>());
      try (Upload<Integer, Integer> upload = peer.upload(more, soon)) {
        assertEquals(CallOutcome.EXPIRED, outcome(() -> sendForEver(upload)));
        assertEquals(CallOutcome.EXPIRED, outcome(upload::finish));
      }
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  private static void serveNothing(Transport server) {
    server.serve(NUMBERS, number -> new CompletableFuture<>());
    server.serveStreamingResponse(NUMBERS, number -> Source.maybe());
  }

  private static void sendForEver(Upload<Integer, Integer> upload) {
    boolean isWanted = true;
    while (isWanted) {
      isWanted = upload.send(1);
    }
  }

  @Test
  void shouldCancelTheTransferWhenItsThreadIsInterrupted() throws Exception {
    CompletableFuture<CompletableFuture<Integer>> served = new CompletableFuture<>();
    CountDownLatch opened = new CountDownLatch(1);
    try (TwoNodes nodes = new TwoNodes("")) {
      nodes.server.serve(
          NUMBERS,
          number -> {
            CompletableFuture<Integer> answer = new CompletableFuture<>();
            served.complete(answer);
            return answer;
          });
      nodes.server.serveStreamingResponse(
          NUMBERS,
          number -> {
            opened.countDown();
            return Source.maybe();
          });
      BlockingPeer peer = peer(nodes);
      Interrupted call = new Interrupted(() -> peer.call(NUMBERS, 1));
      CompletableFuture<Integer> answer = served.get();
      call.interrupt();
      assertTrue(nodes.awaitUntil(answer::isCancelled), "the server is told");
      Interrupted scan = new Interrupted(() -> peer.scan(NUMBERS, 1).iterator().next());
      opened.await();
      scan.interrupt();
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  /** A virtual thread that waits, and ends by an interrupt. */
  private static final class Interrupted {
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final Thread thread;

    Interrupted(Runnable waiting) {
      thread =
          Thread.startVirtualThread(
              () -> {
                try {
                  waiting.run();
                  end.complete(false);
                } catch (CallException e) {
                  end.complete(
                      e.outcome() == CallOutcome.CANCELLED
                          && Thread.currentThread().isInterrupted());
                }
              });
    }

    void interrupt() throws Exception {
      thread.interrupt();
      assertTrue(end.get(), "the wait ends by the interrupt");
    }
  }

  @Test
  void shouldAnswerTwoThousandVirtualThreadsAtOnce() throws Exception {
    int count = 2_000;
    try (TwoNodes nodes = new TwoNodes("");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      BlockingServer server = BlockingServer.of(nodes.server, 64 << 20);
      CountDownLatch all = new CountDownLatch(count);
      server.serve(
          NUMBERS,
          (number, context) -> {
            all.countDown();
            all.await();
            return number + 1;
          });
      BlockingPeer peer = peer(nodes);
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = 100 + i;
        answers.add(threads.submit(() -> peer.call(NUMBERS, number)));
      }
      for (int i = 0; i < count; i++) {
        assertEquals(101 + i, answers.get(i).get());
      }
    }
  }

  @Test
  void shouldEndEveryWaitWhenTheTransportCloses() throws Exception {
    try (TwoNodes nodes = new TwoNodes("");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      serveNothing(nodes.server);
      BlockingPeer peer = peer(nodes);
      peer.connect();
      Rows<Integer> rows = peer.scan(NUMBERS, 1);
      Upload<Integer, Integer> upload = peer.upload(NUMBERS);
      List<Future<CallOutcome>> ends =
          List.of(
              threads.submit(() -> outcome(() -> peer.call(NUMBERS, 1))),
              threads.submit(() -> outcome(rows.iterator()::next)));
      assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.server) > 0), "the scan is there");
      nodes.client.close();
      for (Future<CallOutcome> end : ends) {
        assertEquals(CallOutcome.CLOSED, end.get());
      }
      assertThrows(CallException.class, upload::finish);
      assertEquals(CallOutcome.CLOSED, outcome(() -> peer.call(NUMBERS, 1)));
      assertEquals(CallOutcome.CLOSED, outcome(() -> peer.scan(NUMBERS, 1).iterator().next()));
    }
  }

  @Test
  void shouldRefuseToWaitWhereNoThreadMayWait() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      BlockingPeer peer = peer(nodes);
      assertSame(nodes.peer(), peer.peer());
      peer.peer()
          .unaryOnWorker(
              NUMBERS,
              ByteString.emptyByteString(),
              TransferOptions.DEFAULTS,
              new WorkerCompletion() {
                @Override
                public void onResponse(DirectBuffer buffer, int offset, int length) {
                  throw new AssertionError("nobody serves this route");
                }

                @Override
                public void onFailure(CallException failure) {
                  refused.complete(
                      assertThrows(IllegalStateException.class, () -> peer.call(NUMBERS, 1)));
                }
              });
      String text = String.valueOf(nodes.await(refused).getMessage());
      assertTrue(text.contains("must never wait"), text);
    }
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1);
              SimulatedPair nodes = new SimulatedPair(simulation, StreamChecks.CLEAN)) {
            String text =
                assertThrows(
                        IllegalStateException.class,
                        () -> BlockingPeer.of(nodes.client(), nodes.peer()))
                    .getMessage();
            assertTrue(String.valueOf(text).contains("simulated"), text);
            assertThrows(
                IllegalStateException.class, () -> BlockingServer.of(nodes.server(), 1 << 20));
          }
          return null;
        });
  }
}
