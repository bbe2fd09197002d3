package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.samples.served.ServedFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The findings of the demo with a faulty node among the receivers of a broadcast file. */
@Timeout(60)
class DemoBroadcastTest {
  private static final int BYTES = 400_000;
  private static final long PLENTY = 1L << 20;
  private static final int HEADERS_BYTES = ServedFiles.named(DemoPeers.COPY).encodedBytes();

  @TempDir Path folder;
  @TempDir static Path shared;

  private final TransportSettings settings = LocalCertificates.in(shared).settings();
  private final Transport client = Transport.start(settings);
  private final Transport odd = Transport.start(settings);
  private final DemoPeers good = new DemoPeers();
  private final byte[] bytes = new byte[BYTES];
  private Path input = Path.of("");

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(bytes);
    input = Files.write(folder.resolve("input"), bytes);
  }

  @AfterEach
  void close() {
    client.close();
    odd.close();
    good.close();
  }

  private BroadcastFile run(long mostBytes) throws Exception {
    List<Peer> peers = new ArrayList<>();
    good.start(2, settings, folder).forEach(address -> peers.add(client.peer(address)));
    peers.add(client.peer(odd.address()));
    PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    Progress progress = new Progress(new Screen(quiet, quiet, false), System.nanoTime());
    return new DemoBroadcast(client, peers, progress).run(RecordFile.open(input), mostBytes);
  }

  private void serveRightly() throws IOException {
    Path own = Files.createDirectory(folder.resolve("own"));
    ServedFiles.serve(odd, own, FileOptions.DEFAULT.withoutForcing());
    DemoPeers.serveDigest(odd, own);
  }

  private byte[] copyOf(String directory) throws IOException {
    return Files.readAllBytes(folder.resolve(directory).resolve(DemoPeers.COPY));
  }

  private String failure() {
    return Sentence.of(assertThrows(Exception.class, () -> run(PLENTY)));
  }

  @Test
  void shouldBringTheWholeFileToEachOfThem() throws Exception {
    serveRightly();

    BroadcastFile sent = run(PLENTY);

    assertTrue(sent.isWhole());
    assertEquals(3, sent.peers());
    assertEquals(3 * BYTES, sent.movedBytes());
    assertEquals(7, sent.recordsSealed());
    assertEquals(1, sent.allocations());
    for (String directory : List.of("peer-1", "peer-2", "own")) {
      assertArrayEquals(bytes, copyOf(directory), directory);
    }
  }

  @Test
  void shouldBringAsMuchOfTheFileAsTheNodeHolds() throws Exception {
    serveRightly();

    BroadcastFile sent = run(100_000 + HEADERS_BYTES);

    assertFalse(sent.isWhole());
    assertEquals(100_000, sent.bytes());
    assertEquals(2, sent.recordsSealed());
    for (String directory : List.of("peer-1", "peer-2", "own")) {
      assertArrayEquals(Arrays.copyOf(bytes, 100_000), copyOf(directory), directory);
    }
  }

  @Test
  void shouldFindANodeWhoseCopyIsAnother() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Files.write(own.resolve(DemoPeers.COPY), new byte[BYTES]);
    odd.serveBulkWrites(
        ServedFiles.FILE,
        offer -> CompletableFuture.completedFuture(BulkTarget.file(folder.resolve("elsewhere"))));
    DemoPeers.serveDigest(odd, own);

    assertEquals("the broadcast file differs at " + odd.address(), failure());
  }

  @Test
  void shouldFindANodeThatTakesNothing() {
    odd.serveBulkWrites(
        ServedFiles.FILE,
        offer -> {
          throw new IOException("no room");
        });

    String sentence = failure();

    assertTrue(
        sentence.startsWith("the broadcast did not reach " + odd.address() + ": "), sentence);
  }
}
