package io.millrace.samples.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.store.StoreRoutes.Result;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of a load's bytes, with sources of the test's own. */
@Timeout(60)
class LoaderTest {
  private static final int CHUNK = 100;
  private static final byte[] BYTES = new byte[1_050];
  private static final Manifest MANIFEST = manifest();

  @TempDir Path folder;
  private final List<String> told = new ArrayList<>();
  private Planned planned = new Planned();
  private LocalReplicas replicas;

  private static Manifest manifest() {
    new SplittableRandom(1).nextBytes(BYTES);
    Manifest.Builder builder = new Manifest.Builder(CHUNK);
    for (int at = 0; at < BYTES.length; at += 70) {
      builder.add(BYTES, at, Math.min(70, BYTES.length - at));
    }
    return builder.build();
  }

  /** The bytes of each source; a peer gives bytes up to its end and then fails. */
  private final class Planned implements Sources {
    private final List<byte[]> peers = new ArrayList<>();
    private byte @Nullable [] local;
    private byte @Nullable [] origin;
    private boolean isCoordinatorThere = true;
    private @Nullable Error thrown;

    /** Whether the local replica is evicted between the look-up and the read. */
    private boolean isEvicted;

    @Override
    public Optional<BodySource> local(Manifest manifest, MemoryKind kind, long offset)
        throws IOException {
      if (isEvicted) {
        throw StoreException.gone();
      }
      return from("local", local, offset);
    }

    @Override
    public void fromPeers(LoadJob job, ArrivingBytes arriving, boolean mayWait) throws IOException {
      if (!isCoordinatorThere) {
        throw new StoreException("no coordinator");
      }
      for (byte[] peer : peers) {
        boolean isAgain = !arriving.isComplete();
        while (isAgain) {
          int from = (int) arriving.arrived();
          told.add("peer from " + from);
          isAgain = gives(peer, from, arriving).isMixed();
        }
      }
    }

    private ArrivingBytes.Arrival gives(byte[] peer, int from, ArrivingBytes arriving) {
      ArrivingBytes.Arrival arrival = arriving.begin();
      try {
        arrival.write(peer, from, Math.max(0, peer.length - from));
        arrival.complete();
      } catch (IOException e) {
        told.add(e.getMessage());
        arrival.abort(e);
      }
      return arrival;
    }

    @Override
    public Optional<BodySource> origin(Manifest manifest, long offset) throws IOException {
      if (isEvicted) {
        throw new NoSuchFileException("origin");
      }
      return from("origin", origin, offset);
    }

    private Optional<BodySource> from(String name, byte @Nullable [] bytes, long offset) {
      if (thrown != null) {
        throw thrown;
      }
      if (bytes == null) {
        return Optional.empty();
      }
      told.add(name + " from " + offset);
      return Optional.of(BulkSource.of(Arrays.copyOfRange(bytes, (int) offset, bytes.length)));
    }
  }

  /** A coordinator that knows the manifest. */
  private final class KnownManifest implements Loader.Metadata {
    @Override
    public Manifest manifest(String artifact) throws StoreException {
      if (!artifact.equals(MANIFEST.id())) {
        throw new StoreException("no artifact " + artifact);
      }
      return MANIFEST;
    }

    @Override
    public void onKept(Replica replica) {
      told.add("kept " + replica.bytes().kind());
    }

    @Override
    public void onEvicted(Replica replica) {
      told.add("evicted " + replica.bytes().kind());
    }
  }

  @BeforeEach
  void begin() throws IOException {
    replicas = new LocalReplicas(new ArtifactFolder(folder), 2_000);
    planned = new Planned();
  }

  private Result load(MemoryKind kind, LoadMode mode) throws Exception {
    return load(new LoadJob(new Replica.Id(MANIFEST.id(), kind), mode));
  }

  private Result load(LoadJob job) throws Exception {
    return new Loader(replicas, planned, new KnownManifest()).load(job);
  }

  private void assertHeld(MemoryKind kind) throws IOException {
    Replica held = replicas.find(new Replica.Id(MANIFEST.id(), kind)).orElseThrow();
    byte[] read = new byte[BYTES.length];
    try (BodySource source = held.bytes().source(0, BYTES.length)) {
      int at = 0;
      while (at < read.length) {
        at += source.read(read, at, read.length - at);
      }
    }
    assertArrayEquals(BYTES, read);
  }

  private static byte[] flipped(int at) {
    byte[] bytes = BYTES.clone();
    bytes[at] ^= 1;
    return bytes;
  }

  @Test
  void shouldReuseThenCopyThenAskPeersThenTheOrigin() throws Exception {
    planned.local = Arrays.copyOf(BYTES, 130);
    planned.peers.add(Arrays.copyOf(BYTES, 555));
    planned.peers.add(Arrays.copyOf(BYTES, 901));
    planned.origin = BYTES;
    Result result = load(MemoryKind.RAM, LoadMode.AUTO);
    assertEquals(
        List.of(
            "local from 0",
            "origin from 0",
            "peer from 130",
            "peer from 555",
            "origin from 901",
            "kept RAM"),
        told);
    assertEquals(901 - 130, result.bytesFromPeers());
    assertEquals(BYTES.length - 901, result.bytesFromDisk());
    assertHeld(MemoryKind.RAM);
    told.clear();
    assertEquals("REUSED", load(MemoryKind.RAM, LoadMode.AUTO).how());
    assertEquals(List.of(), told, "nothing was read");
  }

  @Test
  void shouldEndWithItsStageAndLetGoOfItsMemoryWhenAnErrorIsThrown() throws Exception {
    planned.origin = BYTES;
    planned.thrown = new StackOverflowError();
    for (int i = 0; i < 2; i++) {
      StoreException failed =
          assertThrows(StoreException.class, () -> load(MemoryKind.RAM, LoadMode.AUTO));
      assertEquals(
          "load failed in stage TRANSFER: java.lang.StackOverflowError", failed.getMessage());
    }
    planned.thrown = null;
    assertEquals("LOADED", load(MemoryKind.RAM, LoadMode.AUTO).how());
    assertHeld(MemoryKind.RAM);
  }

  @Test
  void shouldKeepMemoryForItsReadersThoughOneOfThemClosesTwice() throws Exception {
    MemoryBytes bytes = new MemoryBytes(CHUNK);
    BodySource first = bytes.source(0, CHUNK);
    BodySource second = bytes.source(0, CHUNK);
    bytes.release();
    first.close();
    first.close();
    assertEquals(CHUNK, second.read(new byte[CHUNK], 0, CHUNK));
    second.close();
    assertThrows(StoreException.class, () -> bytes.source(0, CHUNK));
  }

  @Test
  void shouldAskNobodyElseWhenItIsHereInAnotherKindOfMemory() throws Exception {
    planned.local = BYTES;
    planned.peers.add(BYTES);
    assertEquals("COPIED", load(MemoryKind.DISK, LoadMode.AUTO).how());
    assertEquals(List.of("local from 0", "kept DISK"), told);
    assertHeld(MemoryKind.DISK);
  }

  @ParameterizedTest
  @EnumSource(LoadMode.class)
  void shouldReadOnlyWhereTheModeAllows(LoadMode mode) throws Exception {
    planned.peers.add(Arrays.copyOf(BYTES, 500));
    planned.origin = BYTES;
    if (mode == LoadMode.PREFER_P2P) {
      StoreException failure = assertThrows(StoreException.class, () -> load(MemoryKind.RAM, mode));
      assertEquals(
          "load failed in stage TRANSFER: no source has byte 500 of 1050", failure.getMessage());
      return;
    }
    Result result = load(MemoryKind.RAM, mode);
    assertEquals(mode == LoadMode.AUTO ? 500 : 0, result.bytesFromPeers());
    assertEquals(mode == LoadMode.AUTO ? 550 : 1_050, result.bytesFromDisk());
  }

  /**
   * Each byte in turn would be as good; these numbers are the edges of chunks and of the artifact.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 99, 100, 570, 999, 1_000, 1_049})
  void shouldRefuseAWrongByteAndGetItsChunkElsewhere(int at) throws Exception {
    planned.peers.add(flipped(at));
    planned.peers.add(BYTES);
    Result result = load(MemoryKind.RAM, LoadMode.AUTO);
    assertEquals(1, result.corruptChunks());
    assertEquals("peer from " + at / CHUNK * CHUNK, told.get(2), told.toString());
    assertHeld(MemoryKind.RAM);
  }

  /** The first source brought the wrong byte, but the chunk was refused from the second source. */
  @Test
  void shouldLetASourceTryAChunkOfWhichAnotherOneBroughtTheFirstBytes() throws Exception {
    planned.peers.add(Arrays.copyOf(flipped(510), 550));
    planned.peers.add(BYTES);
    load(MemoryKind.RAM, LoadMode.AUTO);
    assertEquals(
        List.of(
            "peer from 0",
            "peer from 550",
            "chunk 5 does not match the manifest",
            "peer from 500",
            "kept RAM"),
        told);
    assertHeld(MemoryKind.RAM);
  }

  @Test
  void shouldReadTheOriginAgainForAChunkThatAPeerBegan() throws Exception {
    planned.peers.add(Arrays.copyOf(flipped(510), 550));
    planned.origin = BYTES;
    load(MemoryKind.RAM, LoadMode.AUTO);
    assertEquals(
        List.of("origin from 0", "peer from 0", "origin from 550", "origin from 500", "kept RAM"),
        told);
    assertHeld(MemoryKind.RAM);
  }

  @Test
  void shouldNeedNoCoordinatorForBytesOfTheOrigin() throws Exception {
    planned.isCoordinatorThere = false;
    planned.origin = BYTES;
    assertEquals(BYTES.length, load(MemoryKind.RAM, LoadMode.AUTO).bytesFromDisk());
    planned.origin = null;
    replicas = new LocalReplicas(new ArtifactFolder(folder), 2_000);
    StoreException failure =
        assertThrows(StoreException.class, () -> load(MemoryKind.RAM, LoadMode.AUTO));
    assertTrue(failure.toString().contains("no source has byte 0"), failure.toString());
  }

  @Test
  void shouldEvictWhatWasUsedLongestAgoAndGiveRoomBackAfterAFailure() throws Exception {
    planned.peers.add(Arrays.copyOf(BYTES, 500));
    for (int i = 0; i < 3; i++) {
      assertThrows(StoreException.class, () -> load(MemoryKind.RAM, LoadMode.AUTO));
    }
    planned.peers.add(BYTES);
    load(MemoryKind.RAM, LoadMode.AUTO);
    Replica held = replicas.find(new Replica.Id(MANIFEST.id(), MemoryKind.RAM)).orElseThrow();
    BodySource reader = held.bytes().source(0, 10);
    LocalReplicas.Room room = replicas.allocate(MemoryKind.RAM, 1_500);
    assertEquals(1, room.evicted().size());
    assertEquals(10, reader.read(new byte[10], 0, 10), "who reads it reads to the end");
    reader.close();
    assertThrows(StoreException.class, () -> held.bytes().source(0, 10), "it was freed");
    assertThrows(StoreException.class, () -> replicas.allocate(MemoryKind.RAM, 501));
    assertThrows(StoreException.class, () -> replicas.allocate(MemoryKind.RAM, 2_001));
  }

  @Test
  void shouldGoOnElsewhereWhenASourceGoesBetweenTheLookUpAndTheRead() throws Exception {
    planned.isEvicted = true;
    planned.peers.add(BYTES);
    assertEquals("LOADED", load(MemoryKind.RAM, LoadMode.AUTO).how());
    assertEquals(List.of("peer from 0", "kept RAM"), told);
  }

  @Test
  void shouldForceTheNamesOfAFileBeforeItCounts() throws Exception {
    ArtifactFolder forced = new ArtifactFolder(folder, this::tellForced);
    Path part = Files.write(forced.part(), BYTES);
    forced.publish(part, MANIFEST);
    assertEquals(
        List.of(".part", MANIFEST.id() + ", " + MANIFEST.id() + ".manifest"),
        told,
        "the manifest before it has its name, then the folder with both names");
  }

  private void tellForced(Path path) throws IOException {
    if (!path.equals(folder)) {
      String name = path.toString();
      told.add(name.substring(name.lastIndexOf('.')));
      return;
    }
    try (Stream<Path> files = Files.list(path)) {
      told.add(
          files
              .map(file -> file.getFileName().toString())
              .sorted()
              .collect(Collectors.joining(", ")));
    }
  }

  @Test
  void shouldNameTheStageThatFailed() {
    assertFailure("METADATA", new Replica.Id("ab".repeat(32), MemoryKind.RAM));
    assertFailure("ALLOCATION", new Replica.Id(MANIFEST.id(), MemoryKind.GPU));
    assertFailure("TRANSFER", new Replica.Id(MANIFEST.id(), MemoryKind.RAM));
  }

  private void assertFailure(String stage, Replica.Id id) {
    StoreException failure =
        assertThrows(StoreException.class, () -> load(new LoadJob(id, LoadMode.AUTO)));
    assertTrue(failure.toString().contains("load failed in stage " + stage), failure.toString());
  }
}
