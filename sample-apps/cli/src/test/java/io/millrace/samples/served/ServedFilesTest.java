package io.millrace.samples.served;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkStreams;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.OverloadedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The requests of peers to a served directory, and their number at once. */
@Timeout(120)
class ServedFilesTest {
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace.handshake.provider = psk, millrace.handshake.psk = " + "5a".repeat(32));

  @TempDir Path served;
  private final OpenFiles open = new OpenFiles(1);
  private final Transport server = Transport.start(SETTINGS);
  private final Transport client = Transport.start(SETTINGS);
  private final Peer peer = client.peer(server.address());

  @BeforeEach
  void serve() throws IOException {
    ServedFiles.serve(server, served, FileOptions.DEFAULT.withoutForcing(), open);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static TransferOptions named(String name) {
    return TransferOptions.DEFAULTS.withHeaders(ServedFiles.named(name));
  }

  /** Headers unlike any Millrace node's: the last byte of the name is no text. */
  private static TransferOptions namedWithoutText(String name) {
    byte[] block = ServedFiles.named(name).encode().clone();
    block[block.length - 1] = (byte) 0xfc;
    return TransferOptions.DEFAULTS.withHeaders(Headers.decode(block));
  }

  private CompletableFuture<?> write(String name) {
    return peer.bulkWrite(ServedFiles.FILE, BulkSource.of(new byte[] {1, 2}), named(name));
  }

  private static String told(CallException failure) {
    return failure.outcome() + ": " + failure.reason();
  }

  private static CallException failure(CompletableFuture<?> future) {
    ExecutionException thrown = assertThrows(ExecutionException.class, future::get);
    return assertInstanceOf(CallException.class, thrown.getCause());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(served)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void shouldRefuseNamesThatAreNoText() throws Exception {
    byte[] latin = {'f', (byte) 0xfc, 'r'};
    String text = "REFUSED: the name of the file is not UTF-8";
    BodySource source = BulkSource.of(new byte[1]);
    assertEquals(
        text, told(failure(peer.bulkWrite(ServedFiles.FILE, source, namedWithoutText("fx")))));
    byte[] into = new byte[1];
    assertEquals(
        text,
        told(
            failure(
                peer.bulkRead(ServedFiles.FILE, BulkTarget.into(into), namedWithoutText("fx")))));
    assertEquals(
        text, told(failure(peer.unary(ServedFiles.FILE_SIZE, ByteString.fromArrayUnsafe(latin)))));
    assertEquals(List.of(), names());
    assertEquals(0, open.open());
  }

  /** The first write has begun and does not end, because its source is still open. */
  @Test
  void shouldTellWhoComesTooManyToTryAgain() throws Exception {
    var queue =
        Source.<ByteString>queue(16)
            .toMat(BulkStreams.sink(), org.apache.pekko.stream.javadsl.Keep.both())
            .run(client.materializer());
    var first = peer.bulkWrite(ServedFiles.FILE, queue.second(), named("first"));
    var _ = queue.first().offer(ByteString.fromArray(new byte[100_000]));
    while (names().isEmpty()) {
      Thread.onSpinWait();
    }
    CallException refused = failure(write("second"));
    assertEquals(CallOutcome.OVERLOADED, refused.outcome());
    assertEquals("OVERLOADED: no more than 1 files are opened at once; try again", told(refused));
    CallException unread =
        failure(peer.bulkRead(ServedFiles.FILE, BulkTarget.into(new byte[1]), named("first")));
    assertEquals(CallOutcome.OVERLOADED, unread.outcome());
    assertFalse(first.isDone());
    queue.first().complete();
    assertEquals(100_000, first.get().bytes());
    assertEquals(0, open.open());
    write("second").get();
    assertArrayEquals(new byte[] {1, 2}, Files.readAllBytes(served.resolve("second")));
    assertEquals(List.of("first", "second"), names());
  }

  /** Four slots; a single peer asks for three slots with writes that send nothing. */
  @Test
  void shouldLeaveOtherPeersTheirShareOfTheFiles() throws Exception {
    OpenFiles four = new OpenFiles(4);
    BodyTarget first = open(four, "greedy");
    BodyTarget second = open(four, "greedy");
    OverloadedException refused =
        assertThrows(OverloadedException.class, () -> open(four, "greedy"));
    assertEquals(
        "no more than 2 files are opened at once for one peer; try again", refused.getMessage());
    BodyTarget third = open(four, "other");
    BodyTarget fourth = open(four, "third");
    OverloadedException full = assertThrows(OverloadedException.class, () -> open(four, "fourth"));
    assertEquals("no more than 4 files are opened at once; try again", full.getMessage());
    first.abort(new IOException("not wanted"));
    first = open(four, "greedy");
    for (BodyTarget target : List.of(first, second, third, fourth)) {
      target.abort(new IOException("not wanted"));
    }
    assertEquals(0, four.open());
  }

  private BodyTarget open(OpenFiles files, String by) throws Exception {
    return files.target(by, () -> BulkTarget.file(served.resolve("x"))).toCompletableFuture().get();
  }

  @Test
  void shouldTellAPeerThatItHasItsShareAndServeAnother() throws Exception {
    OpenFiles two = new OpenFiles(2);
    try (Transport third = Transport.start(SETTINGS);
        Transport crowded = Transport.start(SETTINGS)) {
      ServedFiles.serve(crowded, served, FileOptions.DEFAULT.withoutForcing(), two);
      var queue =
          Source.<ByteString>queue(16)
              .toMat(BulkStreams.sink(), org.apache.pekko.stream.javadsl.Keep.both())
              .run(client.materializer());
      Peer greedy = client.peer(crowded.address());
      var first = greedy.bulkWrite(ServedFiles.FILE, queue.second(), named("first"));
      var _ = queue.first().offer(ByteString.fromArray(new byte[100_000]));
      while (two.open() == 0) {
        Thread.onSpinWait();
      }
      BodySource more = BulkSource.of(new byte[1]);
      assertEquals(
          "OVERLOADED: no more than 1 files are opened at once for one peer; try again",
          told(failure(greedy.bulkWrite(ServedFiles.FILE, more, named("second")))));
      Peer other = third.peer(crowded.address());
      other.bulkWrite(ServedFiles.FILE, BulkSource.of(new byte[1]), named("third")).get();
      queue.first().complete();
      assertEquals(100_000, first.get().bytes());
    }
    assertEquals(List.of("first", "third"), names());
    assertEquals(0, two.open());
  }

  @Test
  void shouldCountNoFileThatIsNotOpen() throws Exception {
    for (int i = 0; i < 5; i++) {
      failure(write("../x"));
      write("a").get();
      peer.unary(ServedFiles.FILE_SIZE, ByteString.fromString("a")).get();
      peer.bulkRead(ServedFiles.FILE, BulkTarget.into(new byte[2]), named("a")).get();
      failure(peer.bulkRead(ServedFiles.FILE, BulkTarget.into(new byte[2]), named("none")));
    }
    assertEquals(0, open.open());
  }
}
