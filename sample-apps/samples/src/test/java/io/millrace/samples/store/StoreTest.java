package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Registration;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.store.StoreRoutes.Holder;
import io.millrace.samples.store.StoreRoutes.Materialize;
import io.millrace.samples.store.StoreRoutes.Progress;
import io.millrace.samples.store.StoreRoutes.Register;
import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outcome of loads when sources, bytes and the coordinator fail. */
@Timeout(60)
class StoreTest extends StoreNodes {
  @Test
  void shouldPassAnArtifactOnFromDaemonToDaemon() throws Exception {
    Node first = daemon(settings -> settings.withMaxConcurrency(1));
    long size = 16 * MIB + 5;
    String artifact = put(first, "model", new SeededBytes(1, size));
    String before = first.transport().address();
    for (int i = 0; i < 3; i++) {
      Node next = daemon(settings -> settings.withMaxConcurrency(1));
      // The newest holder alone lives on: so each holder is the source of the next.
      Result result = load(next, artifact, MemoryKind.DISK);
      assertEquals(List.of(before), result.sources());
      assertEquals(size, result.bytesFromPeers());
      assertEquals(
          -1, Files.mismatch(first.files().resolve(artifact), next.files().resolve(artifact)));
      System.out.printf(
          "store: %d bytes to daemon %d in %.3f s, %.0f MB/s%n",
          size, i + 1, result.elapsedNs() / 1e9, size * 1e3 / result.elapsedNs());
      nodes.get(i).daemon().close();
      before = next.transport().address();
    }
    assertEquals(artifact, client().resolve("model").orElseThrow());
    assertEquals(
        0,
        atCoordinator.snapshot().workers().stream()
            .map(worker -> worker.bodies().records())
            .mapToLong(records -> records.bodyBytesReceived() + records.bodiesSent())
            .sum(),
        "payload at the coordinator");
  }

  @Test
  void shouldRefuseWhatASourceDamagedAndGetItElsewhere() throws Exception {
    Node first = daemon();
    String artifact = put(first, "model", new SeededBytes(2, 6 * MIB + 7));
    Node second = daemon();
    load(second, artifact, MemoryKind.RAM);
    Node third = daemon();
    load(third, artifact, MemoryKind.DISK);
    second.daemon().close();
    // The older replica on disk is asked first.
    try (RandomAccessFile file =
        new RandomAccessFile(first.files().resolve(artifact).toFile(), "rw")) {
      file.seek(3 * MIB + 11);
      int is = file.read();
      file.seek(3 * MIB + 11);
      file.write(is ^ 1);
    }
    Node fourth = daemon();
    Result result = load(fourth, artifact, MemoryKind.DISK);
    assertEquals(1, result.corruptChunks());
    assertEquals(
        List.of(first.transport().address(), third.transport().address()), result.sources());
    assertEquals(
        -1, Files.mismatch(third.files().resolve(artifact), fourth.files().resolve(artifact)));
    assertTrue(third.daemon().servedBytes() < 4 * MIB, "what was good was read again");
    List<Holder> holders = client().list().artifacts().getFirst().holders();
    assertEquals(0, holders.stream().mapToInt(Holder::reads).sum(), "claims that leaked");
    assertEquals(
        1,
        holders.stream()
            .filter(holder -> holder.daemon().equals(first.transport().address()))
            .mapToInt(Holder::corruptReports)
            .sum());
  }

  /** A source that serves this number of bytes and then stands still until the test lets it go. */
  private static final class Halfway {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    Halfway(Daemon source, long bytes) {
      source.onServed(
          served -> {
            if (served >= bytes) {
              reached.countDown();
              await(letGo);
            }
          });
    }

    static void await(CountDownLatch latch) {
      try {
        assertTrue(latch.await(50, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** Closes the source there, and waits for the load to end without it. */
    Result die(Transport source, CompletableFuture<Result> loading) throws Exception {
      await(reached);
      CompletableFuture<Void> closed = CompletableFuture.runAsync(source::close);
      try {
        return loading.get(50, TimeUnit.SECONDS);
      } finally {
        letGo.countDown();
        closed.get(50, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void shouldGoOnWithTheNextSourceWhenOneDiesHalfWay() throws Exception {
    Node first = daemon();
    long size = 24 * MIB;
    String artifact = put(first, "model", new SeededBytes(3, size));
    Node second = daemon();
    load(second, artifact, MemoryKind.DISK);
    Node third = daemon();
    Halfway halfway = new Halfway(first.daemon(), size + size / 3);
    var loading =
        third.daemon().materialize(new Materialize(artifact, MemoryKind.DISK, LoadMode.AUTO));
    Result result = halfway.die(first.transport(), loading);
    assertEquals(
        List.of(first.transport().address(), second.transport().address()), result.sources());
    assertEquals(size, result.bytesFromPeers());
    assertTrue(second.daemon().servedBytes() < size, "what had arrived was read again");
    assertEquals(
        -1, Files.mismatch(second.files().resolve(artifact), third.files().resolve(artifact)));
  }

  @Test
  void shouldGoOnWithTheNextSourceWhenTheHandshakeFails() throws Exception {
    Node first = daemon();
    String artifact = put(first, "model", new SeededBytes(7, MIB));
    Manifest manifest = client().manifest(artifact);
    KeyedRanges ranges = KeyedRanges.ofChunks("key", manifest);
    // Memory is asked first, but no node listens there any more.
    try (Transport gone = transport()) {
      new CoordinatorClient(gone, List.of(coordinatorAddress()))
          .register(
              new Register("p", gone.address(), null, manifest, MemoryKind.RAM, ranges, 1), false);
    }
    Result result = load(daemon(), artifact, MemoryKind.DISK);
    assertEquals(List.of(first.transport().address()), result.sources());
    List<Holder> holders = client().list().artifacts().getFirst().holders();
    assertEquals(3, holders.size());
    assertEquals(0, holders.stream().mapToInt(Holder::reads).sum(), "claims that leaked");
  }

  @Test
  void shouldFinishFromTheOriginWithoutSourcesAndCoordinator() throws Exception {
    Node first = daemon();
    long size = 24 * MIB;
    String artifact = put(first, "model", new SeededBytes(4, size));
    Path origins = Files.createDirectory(folder.resolve("origins"));
    Files.createLink(origins.resolve(artifact), first.files().resolve(artifact));
    Node second = daemon(settings -> settings.withOrigins(origins));
    Halfway halfway = new Halfway(first.daemon(), size / 3);
    var loading =
        second.daemon().materialize(new Materialize(artifact, MemoryKind.RAM, LoadMode.AUTO));
    Halfway.await(halfway.reached);
    atCoordinator.close();
    Result result = halfway.die(first.transport(), loading);
    assertTrue(result.bytesFromPeers() > 0, result.toString());
    assertTrue(result.bytesFromDisk() > 0, result.toString());
    assertEquals(size, result.bytesFromPeers() + result.bytesFromDisk());
  }

  /**
   * The second start would find a route taken if the first start had left a route, and the database
   * is still there.
   */
  @Test
  void shouldCloseWhatWasOpenedWhenAStartFails() throws Exception {
    Transport node = transport();
    opened.add(node);
    String name = "jdbc:h2:mem:" + UUID.randomUUID();
    Registration taken = node.serve(StoreRoutes.LIST, (_, _) -> new CompletableFuture<>());
    assertThrows(
        IllegalArgumentException.class,
        () -> Coordinator.serve(node, CoordinatorSettings.of(name), InstantSource.system()));
    try (Connection connection = DriverManager.getConnection(name)) {
      assertThrows(SQLException.class, () -> connection.createStatement().execute("TABLE workers"));
    }
    taken.close();
    opened.add(Coordinator.serve(node, CoordinatorSettings.of(name), InstantSource.system()));

    Registration materialize =
        node.serveStreamingResponse(StoreRoutes.MATERIALIZE, _ -> Source.<Progress>empty());
    DaemonSettings settings = DaemonSettings.in(folder.resolve("daemon"));
    assertThrows(
        IllegalArgumentException.class,
        () -> Daemon.serve(node, settings, List.of(coordinatorAddress())));
    materialize.close();
    opened.add(Daemon.serve(node, settings, List.of(coordinatorAddress())));
  }

  @Test
  void shouldRefuseAnArtifactOfTooManyChunksBeforeItHasComeThatFar() throws Exception {
    Node node = daemon(settings -> settings.withChunkBytes(1 << 10));
    MeteredBytes source = new MeteredBytes(new SeededBytes(5, 64 * MIB));
    CompletionException failure =
        assertThrows(CompletionException.class, () -> put(node, "large", source));
    assertTrue(
        failure.toString().contains("at most 8192 chunks of 1024 bytes"), failure.toString());
    assertTrue(source.read.get() < 8 * MIB, source.read + " bytes were read for it");
    put(node, "fits", new SeededBytes(5, 8 * MIB));
  }

  /** Counts the bytes taken. */
  private record MeteredBytes(BodySource from, AtomicLong read) implements BodySource {
    MeteredBytes(BodySource from) {
      this(from, new AtomicLong());
    }

    @Override
    public long lengthBytes() {
      return from.lengthBytes();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = from.read(into, offset, length);
      read.addAndGet(Math.max(0, count));
      return count;
    }

    @Override
    public void close() {
      from.close();
    }
  }

  @Test
  void shouldRegisterAgainWhereTheCoordinatorLostItsDatabase() throws Exception {
    Node node = daemon(settings -> settings.withHeartbeat(Duration.ofMillis(20)));
    String artifact = put(node, "model", new SeededBytes(6, MIB));
    coordinator.close();
    opened.add(
        Coordinator.serve(
            atCoordinator,
            CoordinatorSettings.of(TestDatabase.h2().url()),
            InstantSource.system()));
    List<StoreRoutes.Artifact> known = client().list().artifacts();
    while (known.isEmpty()) {
      LockSupport.parkNanos(1_000_000);
      known = client().list().artifacts();
    }
    assertEquals(artifact, known.getFirst().id());
  }

  @Test
  void shouldTellThatNobodyHasIt() throws Exception {
    Node first = daemon();
    String artifact = put(first, "model", BulkSource.of(new byte[10]));
    Node second = daemon(settings -> settings.withSourceTimeout(Duration.ofMillis(150)));
    first.daemon().close();
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> load(second, artifact, MemoryKind.RAM));
    assertTrue(failure.toString().contains("no source has byte 0 of 10"), failure.toString());
  }

  /** The host of a candidate is unknown, and the other candidate is just starting again. */
  @Test
  void shouldAskACoordinatorAgainThatStartsAgain() throws Exception {
    coordinator.close();
    CoordinatorClient one = client();
    CoordinatorClient two =
        new CoordinatorClient(atClient, List.of("no.such.invalid:7", coordinatorAddress()));
    CountDownLatch asking = new CountDownLatch(2);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<StoreRoutes.Listing>> lists = new ArrayList<>();
      for (CoordinatorClient each : List.of(one, two)) {
        lists.add(
            threads.submit(
                () -> {
                  asking.countDown();
                  return each.list();
                }));
      }
      asking.await();
      opened.add(
          Coordinator.serve(
              atCoordinator,
              CoordinatorSettings.of(TestDatabase.h2().url()),
              InstantSource.system()));
      for (Future<StoreRoutes.Listing> each : lists) {
        assertEquals(List.of(), each.get(20, TimeUnit.SECONDS).artifacts());
      }
    }
  }
}
