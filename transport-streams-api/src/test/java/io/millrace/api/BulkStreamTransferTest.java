package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.CancelledException;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.testkit.TestPublisher;
import org.apache.pekko.stream.testkit.TestSubscriber;
import org.apache.pekko.stream.testkit.javadsl.TestSink;
import org.apache.pekko.stream.testkit.javadsl.TestSource;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of bytes at the ends of transfers between two real nodes. */
@Timeout(60)
class BulkStreamTransferTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final int LONGEST_S = 20;
  private static final int WINDOW = 1 << 20;
  private static final int PER_PEER = 2 << 20;

  /**
   * The most memory for a window of sealed bytes. The node seals 256 KiB at a time while a part of
   * the window is left, and a buffer is free only when the peer has taken over the whole buffer.
   */
  private static final int WINDOW_MEMORY = WINDOW + (2 * 256 << 10);

  private static final int ELEMENT = 10_000;

  /** The windows of a path, small compared with the bytes of the tests. */
  private static final String SMALL_WINDOWS =
      "millrace.transfers.window = " + WINDOW + "\nmillrace.regions.per-peer = " + PER_PEER;

  private final ActorSystem system = ActorSystem.create("bulk-stream-transfers");

  @AfterEach
  void stop() {
    TestKit.shutdownActorSystem(system);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(LONGEST_S, TimeUnit.SECONDS);
  }

  private static CallException failure(CompletionStage<?> stage) {
    ExecutionException failed = assertThrows(ExecutionException.class, () -> get(stage));
    return assertInstanceOf(CallException.class, failed.getCause());
  }

  private static Source<ByteString, ?> elements(byte[] bytes) {
    return Source.range(0, (bytes.length - 1) / ELEMENT)
        .map(
            i ->
                ByteString.fromArray(
                    Arrays.copyOfRange(
                        bytes, i * ELEMENT, Math.min(bytes.length, (i + 1) * ELEMENT))));
  }

  private static Sink<ByteString, CompletionStage<ByteString>> all() {
    return Sink.fold(ByteString.emptyByteString(), ByteString::concat);
  }

  /** Waits until both nodes have released the sent bytes. */
  private static void awaitBuffersFree(TwoNodes nodes) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
    while (used(nodes.client) + used(nodes.server) > 0) {
      assertTrue(System.nanoTime() < deadlineNs, "bytes of an ended transfer are still held");
      LockSupport.parkNanos(TwoNodes.LOOK_AGAIN_NS);
    }
  }

  private static long used(Transport node) {
    return node.snapshot().buffers().usedBytes();
  }

  /**
   * A source that counts the bytes read by a transfer, and checks the node's memory at each read.
   */
  private static final class Endless implements BodySource {
    final CompletableFuture<Done> closed = new CompletableFuture<>();
    final Transport node;
    volatile long readBytes;
    volatile long mostUsedBytes;

    Endless(Transport node) {
      this.node = node;
    }

    @Override
    public long lengthBytes() {
      return UNKNOWN_LENGTH;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      long at = readBytes;
      for (int i = 0; i < length; i++) {
        into[offset + i] = byteAt(at + i);
      }
      readBytes = at + length;
      mostUsedBytes = Math.max(mostUsedBytes, used(node));
      return length;
    }

    @Override
    public void close() {
      closed.complete(Done.getInstance());
    }

    static byte byteAt(long position) {
      return (byte) (position * 31 + (position >> 13));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 9_999, 65_536, 5_000_000})
  void shouldCarryAStreamToAStreamBothWays(int length) throws Exception {
    byte[] bytes = BodyTest.random(length, length);
    CompletableFuture<ByteString> stored = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkWrites(
          nodes.server,
          STORE,
          offer -> {
            var target = BulkStreams.source().toMat(all(), Keep.both()).run(system);
            target.second().thenAccept(stored::complete);
            return CompletableFuture.completedFuture(target.first());
          });
      Raw.serveBulkReads(
          nodes.server,
          FETCH,
          offer ->
              CompletableFuture.completedFuture(
                  elements(bytes).toMat(BulkStreams.sink(), Keep.right()).run(system)));

      BulkReceipt written =
          get(
              elements(bytes)
                  .runWith(Raw.bulkSink(nodes.peer(), STORE, TransferOptions.DEFAULTS), system));
      Pair<Call<BulkReceipt>, CompletionStage<ByteString>> read =
          Raw.bulkSource(nodes.peer(), FETCH, TransferOptions.DEFAULTS)
              .toMat(all(), Keep.both())
              .run(system);

      assertEquals(length, written.bytes());
      assertArrayEquals(bytes, get(stored).toArray());
      assertArrayEquals(bytes, get(read.second()).toArray());
      assertEquals(length, get(read.first()).bytes());
      awaitBuffersFree(nodes);
    }
  }

  @Test
  void shouldHoldTheSenderBackWhileTheStreamIsSlow() throws Exception {
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOWS)) {
      Endless source = new Endless(nodes.server);
      Raw.serveBulkReads(nodes.server, FETCH, offer -> CompletableFuture.completedFuture(source));
      TestSubscriber.Probe<ByteString> slow =
          Raw.bulkSource(nodes.peer(), FETCH, TransferOptions.DEFAULTS)
              .runWith(TestSink.probe(system), system);
      slow.ensureSubscription();
      long most = WINDOW_MEMORY + PER_PEER + 2L * BulkStreams.DEFAULT_BUFFER_BYTES;

      long taken = 0;
      while (taken < 5L * most) {
        ByteString element = slow.requestNext();
        ByteBuffer bytes = element.asByteBuffer();
        checkBytes(bytes, taken);
        taken += element.length();
        long ahead = source.readBytes - taken;
        assertTrue(ahead <= most, ahead + " bytes ahead of a stream that has not asked for them");
      }
      slow.cancel();

      get(source.closed);
      assertTrue(source.mostUsedBytes <= WINDOW_MEMORY, source.mostUsedBytes + " were sealed");
      assertTrue(source.mostUsedBytes >= WINDOW / 2, "the window was never used");
      awaitBuffersFree(nodes);
    }
  }

  private static void checkBytes(ByteBuffer bytes, long from) {
    for (long at = from; bytes.hasRemaining(); at++) {
      if (bytes.get() != Endless.byteAt(at)) {
        throw new AssertionError("another byte at " + at);
      }
    }
  }

  @Test
  void shouldHoldTheStreamBackWhileTheTargetIsSlow() throws Exception {
    CompletableFuture<TestSubscriber.Probe<ByteString>> accepted = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOWS)) {
      Raw.serveBulkWrites(
          nodes.server,
          STORE,
          offer -> {
            var target =
                BulkStreams.source().toMat(TestSink.probe(system), Keep.both()).run(system);
            accepted.complete(target.second());
            return CompletableFuture.completedFuture(target.first());
          });
      Endless endless = new Endless(nodes.client);
      CompletionStage<BulkReceipt> receipt =
          Source.repeat(new byte[ELEMENT])
              .map(
                  block -> {
                    endless.read(block, 0, ELEMENT);
                    return ByteString.fromArray(block);
                  })
              .runWith(Raw.bulkSink(nodes.peer(), STORE, TransferOptions.DEFAULTS), system);
      TestSubscriber.Probe<ByteString> slow = get(accepted);
      slow.ensureSubscription();
      long most = WINDOW_MEMORY + PER_PEER + 3L * BulkStreams.DEFAULT_BUFFER_BYTES;

      long taken = 0;
      while (taken < 3L * most) {
        taken += slow.requestNext().length();
        long ahead = endless.readBytes - taken;
        assertTrue(ahead <= most, ahead + " bytes ahead of a stream that has not asked for them");
      }
      slow.cancel();

      CallException failed = failure(receipt);
      assertEquals(CallOutcome.TARGET_FAILED, failed.outcome());
      assertTrue(endless.mostUsedBytes <= WINDOW_MEMORY, endless.mostUsedBytes + " were sealed");
      awaitBuffersFree(nodes);
    }
  }

  /** A source that runs dry after each thousand bytes, and opens a gate after enough bytes. */
  private static final class Trickle implements BodySource {
    private static final int ENOUGH = WINDOW / 2;
    private static final int DROP = 1_000;
    private static final int ALL = 1_500 * DROP;

    final Transport node;
    volatile Runnable onEnough = () -> {};
    volatile int givenBytes;
    volatile long mostUsedBytes;
    private Runnable resume = () -> {};
    private boolean isDry;

    Trickle(Transport node) {
      this.node = node;
    }

    @Override
    public long lengthBytes() {
      return ALL;
    }

    @Override
    public void start(Runnable resume) {
      this.resume = resume;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      mostUsedBytes = Math.max(mostUsedBytes, used(node));
      int before = givenBytes;
      isDry = !isDry;
      if (!isDry && before < ALL) {
        resume.run();
        return 0;
      }
      int drop = Math.min(DROP, Math.min(length, ALL - before));
      givenBytes = before + drop;
      if (before < ENOUGH && before + drop >= ENOUGH) {
        onEnough.run();
      }
      return drop == 0 ? -1 : drop;
    }

    @Override
    public void close() {}
  }

  /** A target that takes no bytes before the source has supplied enough bytes. */
  private record Gate(Trickle source) implements BodyTarget {
    @Override
    public void start(Runnable resume) {
      source.onEnough = resume;
      if (isReady()) {
        resume.run();
      }
    }

    @Override
    public boolean isReady() {
      return source.givenBytes >= Trickle.ENOUGH;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {}
  }

  @Test
  void shouldTakeNoBufferForEachDropOfASourceThatTrickles() throws Exception {
    try (TwoNodes nodes = new TwoNodes(SMALL_WINDOWS)) {
      Trickle source = new Trickle(nodes.client);
      Raw.serveBulkWrites(
          nodes.server, STORE, offer -> CompletableFuture.completedFuture(new Gate(source)));

      BulkReceipt receipt =
          get(Raw.bulkWrite(nodes.peer(), STORE, source, TransferOptions.DEFAULTS));

      assertEquals(Trickle.ALL, receipt.bytes());
      assertTrue(source.mostUsedBytes <= WINDOW_MEMORY, source.mostUsedBytes + " were sealed");
      awaitBuffersFree(nodes);
    }
  }

  @Test
  void shouldEndBothSidesWhenAStreamThatWaitsIsCancelled() throws Exception {
    CompletableFuture<TestPublisher.Probe<ByteString>> opened = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkReads(
          nodes.server,
          FETCH,
          offer -> {
            var source =
                TestSource.<ByteString>probe(system)
                    .toMat(BulkStreams.sink(), Keep.both())
                    .run(system);
            opened.complete(source.first());
            return CompletableFuture.completedFuture(source.second());
          });
      var reading =
          Raw.bulkSource(nodes.peer(), FETCH, TransferOptions.DEFAULTS)
              .toMat(TestSink.probe(system), Keep.both())
              .run(system);
      TestPublisher.Probe<ByteString> source = get(opened);
      source.sendNext(ByteString.fromString("one"));
      assertEquals("one", reading.second().requestNext().utf8String());
      source.sendNext(ByteString.fromString("two"));
      source.sendNext(ByteString.fromString("three"));
      String more = reading.second().requestNext().utf8String();
      while (more.length() < "twothree".length()) {
        more += reading.second().requestNext().utf8String();
      }
      assertEquals("twothree", more);

      reading.second().cancel();

      CallException failed = failure(reading.first());
      assertEquals(CallOutcome.TARGET_FAILED, failed.outcome());
      source.expectCancellationWithCause(CancelledException.class);
      awaitBuffersFree(nodes);
    }
  }

  @Test
  void shouldFailTheTransferWithTheStream() throws Exception {
    CompletableFuture<CompletionStage<ByteString>> accepted = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkWrites(
          nodes.server,
          STORE,
          offer -> {
            var target = BulkStreams.source().toMat(all(), Keep.both()).run(system);
            accepted.complete(target.second());
            return CompletableFuture.completedFuture(target.first());
          });

      CompletionStage<BulkReceipt> receipt =
          Source.single(ByteString.fromString("some"))
              .concat(Source.failed(new IllegalStateException("the well is dry")))
              .runWith(Raw.bulkSink(nodes.peer(), STORE, TransferOptions.DEFAULTS), system);

      CallException failed = failure(receipt);
      assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
      assertTrue(String.valueOf(failed.getMessage()).contains("the well is dry"));
      awaitBuffersFree(nodes);
      if (accepted.isDone()) {
        assertThrows(ExecutionException.class, () -> get(accepted.get()));
      }
    }
  }

  @Test
  void shouldFailTheStreamWithTheTransfer() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      var read =
          Raw.bulkSource(nodes.peer(), FETCH, TransferOptions.DEFAULTS)
              .toMat(TestSink.probe(system), Keep.both())
              .run(system);

      CallException failed = failure(read.first());
      assertEquals(CallOutcome.UNKNOWN_ROUTE, failed.outcome());
      assertInstanceOf(CallException.class, read.second().expectSubscriptionAndError());
    }
  }

  @Test
  void shouldCancelTheStreamWhenThePeerRefuses() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkWrites(
          nodes.server,
          STORE,
          offer -> CompletableFuture.failedFuture(new IllegalStateException("full")));
      var write =
          TestSource.<ByteString>probe(system)
              .toMat(Raw.bulkSink(nodes.peer(), STORE, TransferOptions.DEFAULTS), Keep.both())
              .run(system);
      write.first().sendNext(ByteString.fromString("some"));

      CallException failed = failure(write.second());
      assertEquals(CallOutcome.REFUSED, failed.outcome());
      write.first().expectCancellationWithCause(CancelledException.class);
      awaitBuffersFree(nodes);
    }
  }

  @Test
  void shouldMixStreamsWithOtherEnds() throws Exception {
    byte[] bytes = BodyTest.random(300_000, 8);
    byte[] stored = new byte[bytes.length];
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveBulkWrites(
          nodes.server, STORE, offer -> CompletableFuture.completedFuture(BulkTarget.into(stored)));
      Raw.serveBulkReads(
          nodes.server, STORE, offer -> CompletableFuture.completedFuture(BulkSource.of(stored)));
      Peer peer = nodes.peer();

      get(elements(bytes).runWith(Raw.bulkSink(peer, STORE, TransferOptions.DEFAULTS), system));
      ByteString back =
          get(Raw.bulkSource(peer, STORE, TransferOptions.DEFAULTS).runWith(all(), system));

      assertArrayEquals(bytes, back.toArray());
    }
  }
}
