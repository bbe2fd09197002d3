package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.testkit.TestPublisher;
import org.apache.pekko.stream.testkit.TestSubscriber;
import org.apache.pekko.stream.testkit.javadsl.TestSink;
import org.apache.pekko.stream.testkit.javadsl.TestSource;
import org.apache.pekko.testkit.javadsl.TestKit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Demand, ends and failures of the streams at the ends of a transfer, step by step. */
final class BulkStreamsTest {
  private static final int BUFFER = 4096;
  private static final int LONGEST_S = 20;

  private static ActorSystem system = ActorSystem.create("unused");

  @BeforeAll
  static void startSystem() {
    TestKit.shutdownActorSystem(system);
    system = ActorSystem.create("bulk-streams");
  }

  @AfterAll
  static void stopSystem() {
    TestKit.shutdownActorSystem(system);
  }

  /** Counts resumes, and waits for a resume. */
  private static final class Resumes {
    final Semaphore come = new Semaphore(0);

    void await() {
      try {
        assertTrue(come.tryAcquire(LONGEST_S, TimeUnit.SECONDS), "no resume came");
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    void expectNone() {
      assertEquals(0, come.availablePermits());
    }
  }

  private final Resumes resumes = new Resumes();

  private Pair<TestPublisher.Probe<ByteString>, BodySource> source(long lengthBytes) {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair =
        TestSource.<ByteString>create(system)
            .toMat(BulkStreams.sink(lengthBytes, BUFFER), Keep.both())
            .withAttributes(Attributes.inputBuffer(1, 1))
            .run(system);
    pair.second().start(resumes.come::release);
    return pair;
  }

  private Pair<BodyTarget, TestSubscriber.Probe<ByteString>> target() {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair =
        BulkStreams.source(BUFFER).toMat(TestSink.create(system), Keep.both()).run(system);
    pair.first().start(resumes.come::release);
    return pair;
  }

  private static ByteString chunk(int length, int fill) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) fill);
    return ByteString.fromArray(bytes);
  }

  /** Reads until this number of bytes is read. */
  private byte[] readExactly(BodySource source, int length) throws IOException {
    byte[] bytes = new byte[length];
    int done = 0;
    while (done < length) {
      int count = source.read(bytes, done, length - done);
      if (count == 0) {
        resumes.await();
      }
      assertTrue(count >= 0, "the end came early");
      done += count;
    }
    return bytes;
  }

  private void expectEnd(BodySource source) throws IOException {
    int count = source.read(new byte[10], 0, 10);
    if (count == 0) {
      resumes.await();
      count = source.read(new byte[10], 0, 10);
    }
    assertEquals(-1, count);
  }

  private IOException expectReadFailure(BodySource source) {
    return assertThrows(
        IOException.class,
        () -> {
          while (source.read(new byte[10], 0, 10) != 0) {}
          resumes.await();
          source.read(new byte[10], 0, 10);
        });
  }

  @Test
  void shouldStopDemandWhenFullAndGoOnWhenHalfEmpty() throws IOException {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair = source(BodySource.UNKNOWN_LENGTH);
    TestPublisher.Probe<ByteString> upstream = pair.first();
    assertEquals(BodySource.UNKNOWN_LENGTH, pair.second().lengthBytes());
    sendUntilFull(upstream, 1024);
    assertEquals(0, readExactly(pair.second(), 1024)[1023]);
    upstream.expectNoMessage();
    assertEquals(1, readExactly(pair.second(), 1024)[1023]);
    assertEquals(1, upstream.expectRequest());
    for (int fill = 2; fill <= 4; fill++) {
      assertEquals(fill, readExactly(pair.second(), 1024)[0]);
    }
    upstream.sendComplete();
    expectEnd(pair.second());
  }

  /**
   * Sends elements until the queue is full; the inlet of the stream holds one further element ahead
   * of the queue.
   */
  private static void sendUntilFull(TestPublisher.Probe<ByteString> upstream, int length) {
    for (int fill = 0; fill <= BUFFER / ChunkQueue.LEAST_COST_BYTES; fill++) {
      assertEquals(1, upstream.expectRequest());
      upstream.unsafeSendNext(chunk(length, fill));
    }
    upstream.expectNoMessage();
  }

  @Test
  void shouldBoundTinyElementsToo() {
    sendUntilFull(source(BodySource.UNKNOWN_LENGTH).first(), 1);
  }

  @Test
  void shouldTakeOneElementOfAnySize() throws IOException {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair = source(BodySource.UNKNOWN_LENGTH);
    pair.first().sendNext(chunk(1, 7).concat(chunk(100_000, 7)));
    assertArrayEquals(chunk(100_001, 7).toArrayUnsafe(), readExactly(pair.second(), 100_001));
    pair.first().sendNext(ByteString.emptyByteString()).sendComplete();
    expectEnd(pair.second());
  }

  @Test
  void shouldResumeAReaderOnceForEachTimeItRanDry() throws IOException {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair = source(BodySource.UNKNOWN_LENGTH);
    assertEquals(0, pair.second().read(new byte[1], 0, 1));
    resumes.expectNone();
    pair.first().sendNext(chunk(1, 1));
    resumes.await();
    pair.first().sendNext(chunk(1, 2));
    assertEquals(1, readExactly(pair.second(), 1)[0]);
    assertEquals(2, readExactly(pair.second(), 1)[0]);
    assertEquals(0, pair.second().read(new byte[1], 0, 1));
    pair.first().sendComplete();
    resumes.await();
    assertEquals(-1, pair.second().read(new byte[1], 0, 1));
    resumes.expectNone();
  }

  @Test
  void shouldFailTheReaderWithTheCauseOfTheStream() {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair = source(BodySource.UNKNOWN_LENGTH);
    IllegalStateException broken = new IllegalStateException("a broken file");
    pair.first().sendError(broken);
    IOException failure = expectReadFailure(pair.second());
    assertEquals("the stream failed: a broken file", failure.getMessage());
    assertSame(broken, failure.getCause());
  }

  @Test
  void shouldRefuseAStreamOfAnotherLengthThanAnnounced() throws IOException {
    Pair<TestPublisher.Probe<ByteString>, BodySource> shorter = source(100);
    assertEquals(100, shorter.second().lengthBytes());
    shorter.first().sendNext(chunk(99, 1)).sendComplete();
    readExactly(shorter.second(), 99);
    assertEquals(
        "the stream ended after 99 of the announced 100 bytes",
        expectReadFailure(shorter.second()).getMessage());
    Pair<TestPublisher.Probe<ByteString>, BodySource> longer = source(100);
    longer.first().sendNext(chunk(101, 1));
    assertEquals(
        "the stream has more than the announced 100 bytes",
        assertThrows(IOException.class, () -> readExactly(longer.second(), 101)).getMessage());
  }

  @Test
  void shouldCancelTheStreamWhenTheTransferEndsFirst() {
    Pair<TestPublisher.Probe<ByteString>, BodySource> pair = source(BodySource.UNKNOWN_LENGTH);
    pair.first().sendNext(chunk(10, 1));
    pair.second().close();
    CancelledException cause = pair.first().expectCancellationWithCause(CancelledException.class);
    assertEquals("the transfer that reads the stream has ended", cause.getMessage());
  }

  @Test
  void shouldFailTheReaderWhenTheStreamIsStopped() {
    Materializer materializer = Materializer.createMaterializer(system);
    BodySource source =
        Source.<ByteString>maybe().toMat(BulkStreams.sink(), Keep.right()).run(materializer);
    source.start(resumes.come::release);
    materializer.shutdown();
    assertEquals(
        "the stream failed: the stream was stopped before its end",
        expectReadFailure(source).getMessage());
  }

  @Test
  void shouldPushOnDemandOnlyAndRefuseWhenFull() throws IOException {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    BodyTarget target = pair.first();
    TestSubscriber.Probe<ByteString> downstream = pair.second().ensureSubscription();
    for (int fill = 0; fill < 4; fill++) {
      assertTrue(target.isReady());
      target.write(chunk(1024, fill).toArrayUnsafe(), 0, 1024);
    }
    assertFalse(target.isReady());
    assertThrows(IllegalStateException.class, () -> target.write(new byte[1], 0, 1));
    downstream.expectNoMessage();
    downstream.requestNext(chunk(1024, 0));
    resumes.expectNone();
    downstream.requestNext(chunk(1024, 1));
    resumes.await();
    assertTrue(target.isReady());
    downstream.requestNext(chunk(1024, 2));
    target.complete();
    downstream.requestNext(chunk(1024, 3));
    downstream.expectComplete();
    resumes.expectNone();
  }

  @Test
  void shouldCopyWhatIsWritten() throws IOException {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    byte[] reused = {1, 2, 3, 4};
    pair.first().write(reused, 1, 2);
    reused[1] = 9;
    pair.second().requestNext(ByteString.fromArray(new byte[] {2, 3}));
  }

  @Test
  void shouldCompleteWithoutDemand() throws IOException {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    pair.second().ensureSubscription();
    pair.first().complete();
    pair.second().expectComplete();
  }

  @Test
  void shouldFailTheStreamAtOnceWhenTheTransferFails() throws IOException {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    pair.second().ensureSubscription();
    pair.first().write(new byte[10], 0, 10);
    IOException gone = new IOException("the peer is gone");
    pair.first().abort(gone);
    assertSame(gone, pair.second().expectError());
  }

  @Test
  void shouldEndTheTransferWhenTheStreamIsCancelled() throws IOException {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    BodyTarget target = pair.first();
    while (target.isReady()) {
      target.write(new byte[1024], 0, 1024);
    }
    pair.second().ensureSubscription().cancel();
    resumes.await();
    assertTrue(target.isReady());
    CancelledException cancelled =
        assertThrows(CancelledException.class, () -> target.write(new byte[1], 0, 1));
    assertEquals("the stream that takes the bytes was cancelled", cancelled.getMessage());
    assertThrows(CancelledException.class, target::complete);
    target.abort(cancelled);
  }

  @Test
  void shouldTellTheTransferOfCancellationWhileNothingComes() {
    Pair<BodyTarget, TestSubscriber.Probe<ByteString>> pair = target();
    pair.second().ensureSubscription();
    assertFalse(pair.first().isCancelled());
    pair.second().cancel();
    resumes.await();
    assertTrue(pair.first().isCancelled());
  }

  @Test
  void shouldEndTheTransferWhenTheStreamIsStopped() throws IOException {
    Materializer materializer = Materializer.createMaterializer(system);
    BodyTarget target =
        BulkStreams.source(BUFFER).toMat(Sink.<ByteString>never(), Keep.left()).run(materializer);
    target.start(resumes.come::release);
    while (target.isReady()) {
      target.write(new byte[1024], 0, 1024);
    }
    materializer.shutdown();
    resumes.await();
    assertThrows(CancelledException.class, () -> target.write(new byte[1], 0, 1));
  }

  @Test
  void shouldRefuseABufferThatHoldsNothing() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Source.<ByteString>empty().runWith(BulkStreams.sink(-1, 1023), system));
  }
}
