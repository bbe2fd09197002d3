package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.TeePolicy;
import io.millrace.body.ForwardingSource;
import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.LentBytes;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that wait for devices, with one hanging device, beside an executor of one thread. */
@Timeout(120)
class DeviceThreadsTest {
  private static final RouteId HANGING = RouteId.of("hanging");
  private static final RouteId PLAIN = RouteId.of("plain");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int BYTES = 300_000;

  @TempDir Path directory;
  private final CountDownLatch device = new CountDownLatch(1);
  private final AtomicInteger hung = new AtomicInteger();
  private final Set<String> threads = ConcurrentHashMap.newKeySet();
  private final ExecutorService executor =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "application"));
  private final TwoNodes nodes =
      new TwoNodes(
          "millrace.limits.device-threads = 2",
          b -> b.executor(executor, 1),
          b -> b.executor(executor, 1));

  @AfterEach
  void close() {
    device.countDown();
    nodes.close();
    executor.shutdownNow();
  }

  private void note() {
    threads.add(Thread.currentThread().getName());
  }

  /** Returns the kinds of threads seen. */
  private Set<String> kinds() {
    return threads.stream().map(t -> t.replaceAll("[0-9]+$", "N")).collect(Collectors.toSet());
  }

  private void hang() throws IOException {
    note();
    hung.incrementAndGet();
    try {
      device.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** A target that hangs as a file whose device does not answer. */
  private final class HangingTarget extends ForwardingTarget {
    HangingTarget(byte[] into) {
      super(BulkTarget.into(into));
    }

    @Override
    public boolean waitsForDevice() {
      return true;
    }

    @Override
    public void start(Runnable resume) {
      note();
      super.start(resume);
    }

    @Override
    public boolean isReady() {
      note();
      return super.isReady();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      hang();
      super.write(bytes, offset, length);
    }

    @Override
    public void complete() throws IOException {
      hang();
      super.complete();
    }

    @Override
    public void abort(Throwable cause) {
      note();
      super.abort(cause);
    }
  }

  private final class HangingSource extends ForwardingSource {
    HangingSource() {
      super(BulkSource.of(new byte[BYTES]));
    }

    @Override
    public boolean waitsForDevice() {
      return true;
    }

    @Override
    public void start(Runnable resume) {
      note();
      super.start(resume);
    }

    @Override
    public @Nullable LentBytes lend(int most) throws IOException {
      hang();
      return super.lend(most);
    }

    @Override
    public void close() {
      note();
      super.close();
    }
  }

  private CompletableFuture<BulkReceipt> write(RouteId route, BodySource source) {
    return Raw.bulkWrite(nodes.peer(), route, source, TransferOptions.DEFAULTS);
  }

  /** Checks handlers, and a body that waits for no device. */
  private void assertAllElseGoesOn() throws Exception {
    byte[] plain = new byte[BYTES];
    Raw.serve(
        nodes.server,
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    Raw.serveBulkWrites(
        nodes.server, PLAIN, offer -> CompletableFuture.completedFuture(BulkTarget.into(plain)));
    assertArrayEquals(
        new byte[] {7}, nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[] {7})).payload());
    byte[] sent = new byte[BYTES];
    sent[BYTES - 1] = 9;
    assertEquals(BYTES, nodes.await(write(PLAIN, BulkSource.of(sent))).bytes());
    assertArrayEquals(sent, plain);
  }

  @Test
  void shouldServeAllElseWhileTargetsHang() throws Exception {
    Raw.serveBulkWrites(
        nodes.server,
        HANGING,
        offer -> CompletableFuture.completedFuture(new HangingTarget(new byte[BYTES])));
    List<CompletableFuture<BulkReceipt>> hanging = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      hanging.add(write(HANGING, BulkSource.of(new byte[BYTES])));
    }
    assertTrue(nodes.awaitUntil(() -> hung.get() == 2), threads::toString);
    assertAllElseGoesOn();
    for (CompletableFuture<BulkReceipt> body : hanging) {
      assertFalse(body.isDone());
    }
    device.countDown();
    for (CompletableFuture<BulkReceipt> body : hanging) {
      assertEquals(BYTES, nodes.await(body).bytes());
    }
    assertEquals(Set.of("millrace-device-N"), kinds());
  }

  @Test
  void shouldServeAllElseWhileSourcesHang() throws Exception {
    byte[] into = new byte[BYTES];
    Raw.serveBulkWrites(
        nodes.server, HANGING, offer -> CompletableFuture.completedFuture(BulkTarget.into(into)));
    CompletableFuture<BulkReceipt> first = write(HANGING, new HangingSource());
    Raw.serveBulkReads(
        nodes.server, HANGING, offer -> CompletableFuture.completedFuture(new HangingSource()));
    byte[] read = new byte[BYTES];
    CompletableFuture<BulkReceipt> second =
        Raw.bulkRead(nodes.peer(), HANGING, BulkTarget.into(read), TransferOptions.DEFAULTS);
    assertTrue(nodes.awaitUntil(() -> hung.get() == 2));
    assertAllElseGoesOn();
    device.countDown();
    assertEquals(BYTES, nodes.await(first).bytes());
    assertEquals(BYTES, nodes.await(second).bytes());
    assertEquals(Set.of("millrace-device-N"), kinds());
  }

  @Test
  void shouldServeAllElseWhileTheTargetOfAnInlineAnswerHangs() throws Exception {
    Raw.serve(
        nodes.server,
        HANGING,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[] {1, 2})));
    byte[] into = new byte[2];
    CompletableFuture<BulkReceipt> read =
        Raw.bulkRead(nodes.peer(), HANGING, new HangingTarget(into), TransferOptions.DEFAULTS);
    CompletableFuture<String> thread = read.thenApply(done -> Thread.currentThread().getName());
    assertTrue(nodes.awaitUntil(() -> hung.get() == 1));
    assertAllElseGoesOn();
    assertFalse(read.isDone());
    device.countDown();
    // first, because a thread that waits for the future itself runs the dependent stages
    assertEquals("application", nodes.await(thread));
    assertEquals(2, nodes.await(read).bytes());
    assertArrayEquals(new byte[] {1, 2}, into);
    assertEquals(Set.of("millrace-device-N"), kinds());
  }

  @Test
  void shouldAbortOnTheDeviceThreadsWhenTheCallFails() throws Exception {
    CompletableFuture<BulkReceipt> read =
        Raw.bulkRead(
            nodes.peer(),
            RouteId.of("nobody's"),
            new HangingTarget(new byte[2]),
            TransferOptions.DEFAULTS);
    assertTrue(nodes.awaitUntil(read::isCompletedExceptionally));
    assertEquals(Set.of("millrace-device-N"), kinds());
  }

  @Test
  void shouldBroadcastAndCopyFilesFromDeviceThreads() throws Exception {
    byte[] bytes = new byte[BYTES];
    bytes[5] = 5;
    Path from = Files.write(directory.resolve("from"), bytes);
    assertTrue(BulkSource.file(from).waitsForDevice());
    BodyTarget to = BulkTarget.file(directory.resolve("to"));
    assertTrue(to.waitsForDevice());
    assertTrue(BulkTarget.tee(BulkTarget.into(bytes), to, TeePolicy.FAIL_BOTH).waitsForDevice());
    Raw.serveBulkWrites(nodes.server, PLAIN, offer -> CompletableFuture.completedFuture(to));
    assertEquals(BYTES, nodes.await(write(PLAIN, BulkSource.file(from))).bytes());
    assertArrayEquals(bytes, Files.readAllBytes(directory.resolve("to")));
    device.countDown();
    nodes.await(Raw.seal(nodes.client, new HangingSource(), new byte[0])).close();
    assertEquals(Set.of("millrace-device-N"), kinds());
  }
}
