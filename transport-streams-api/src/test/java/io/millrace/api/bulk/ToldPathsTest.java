package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.CallException;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.BodyTarget;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.stream.javadsl.FileIO;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node's texts to a peer about files, over sockets: the texts contain the last names of files,
 * and not their directories.
 */
@Timeout(60)
final class ToldPathsTest {
  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("file");
  private static final byte[] BYTES = new byte[100_000];
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace.handshake.provider = psk, millrace.handshake.psk = " + "5a".repeat(32));

  @TempDir Path directory;
  private final Transport server = Transport.start(SETTINGS);
  private final Transport client = Transport.start(SETTINGS);
  private Path root = Path.of("");

  @BeforeEach
  void findRoot() throws IOException {
    root = directory.toRealPath();
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  /**
   * Checks that the transfer was refused or failed with this text, without a part of the directory.
   */
  private void assertTold(String text, CompletableFuture<?> future) {
    ExecutionException thrown = assertThrows(ExecutionException.class, future::get);
    CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
    String told = String.valueOf(failure.getMessage());
    assertEquals(text, failure.reason());
    assertFalse(told.contains(directory.toString()), told);
    assertFalse(told.contains(root.toString()), told);
  }

  private void assertReadTold(String text, BulkProvider provider) {
    var served = server.serveBulkReads(ROUTE, provider);
    byte[] into = new byte[BYTES.length];
    assertTold(
        text,
        client
            .peer(server.address())
            .bulkRead(ROUTE, BulkTarget.into(into), TransferOptions.DEFAULTS));
    served.close();
  }

  private void assertWriteTold(String text, BulkReceiver receiver) {
    var served = server.serveBulkWrites(ROUTE, receiver);
    assertTold(
        text,
        client
            .peer(server.address())
            .bulkWrite(ROUTE, BulkSource.of(BYTES), TransferOptions.DEFAULTS));
    served.close();
  }

  private static <T> CompletableFuture<T> is(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Test
  void shouldTellAReaderTheNameOfAFileThatCannotBeOpened() {
    Path missing = directory.resolve("missing");
    assertReadTold(
        "cannot read missing: no such file or directory", _ -> is(BulkSource.file(missing)));
    assertReadTold(
        "there is no such file: missing", _ -> is(BulkSource.of(Files.readAllBytes(missing))));
    assertReadTold(
        "access was denied: missing",
        _ -> CompletableFuture.failedFuture(new AccessDeniedException(missing.toString())));
    assertReadTold(
        "missing (No such file or directory)",
        _ -> {
          try (FileInputStream in = new FileInputStream(missing.toFile())) {
            return is(BulkSource.of(in.readAllBytes()));
          }
        });
  }

  @Test
  void shouldTellAReaderTheNameOfAFileThatCannotBeReadToItsEnd() throws IOException {
    Path file = Files.write(directory.resolve("torn"), BYTES);
    FileStamp stamp = FileStamp.of(file);
    assertReadTold(
        "cannot read torn: Input/output error",
        _ -> {
          FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
          return is(
              new FileSource(file, new FaultyChannel(channel, 7, true), stamp, 0, BYTES.length));
        });
  }

  @Test
  void shouldTellAReaderTheNameOfAFileThatAStreamCannotRead() {
    Path missing = directory.resolve("missing");
    assertReadTold(
        "the stream failed: there is no such file: missing",
        _ -> is(FileIO.fromPath(missing).runWith(BulkStreams.sink(), server.materializer())));
  }

  @Test
  void shouldTellAWriterTheNameOfAFileThatCannotBeWritten() {
    Path lost = directory.resolve("nowhere/to");
    assertWriteTold("cannot write to: no such file or directory", _ -> is(BulkTarget.file(lost)));
    assertWriteTold(
        "cannot write %s: it is a directory".formatted(directory.getFileName()),
        _ -> is(BulkTarget.file(directory)));
  }

  @Test
  void shouldTellAWriterTheNameOfAFileThatAnotherWrites() throws IOException {
    Path to = directory.resolve("to");
    byte[] identity = {7};
    ResumableTarget first = BulkTarget.resumable(to, identity, FileOptions.DEFAULT);
    assertWriteTold(
        "cannot write to: another resumable transfer is writing it",
        _ -> is(BulkTarget.resumable(to, identity, FileOptions.DEFAULT)));
    first.abort(new IOException("the test is over"));
  }

  @Test
  void shouldTellAWriterTheNameOfAFileThatItsDeviceHasNoRoomFor() {
    Path to = directory.resolve("to");
    assertWriteTold(
        "cannot write to: No space left on device",
        _ -> is(target(to, new FaultyChannel(open(to), 50, true), NameForcing::open)));
  }

  @Test
  void shouldTellAWriterTheNameOfAFileThatMayNotBeOnTheDevice() {
    Path to = directory.resolve("to");
    assertWriteTold(
        "to is in place, but perhaps not on the device: Input/output error",
        _ -> is(target(to, open(to), ToldPathsTest::failing)));
  }

  @Test
  void shouldTellAWriterOfAFileWhoseNameIsTakenMeanwhile() {
    Path to = directory.resolve("to");
    assertWriteTold(
        "cannot write to: it is a directory",
        _ -> {
          BodyTarget target = BulkTarget.file(to);
          Files.createDirectory(to);
          return is(target);
        });
  }

  private static FileChannel open(Path to) throws IOException {
    return FileChannel.open(
        FinalName.check(to, true).temporary("resume.part"),
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE);
  }

  /** Opens a directory that cannot be forced. */
  private static NameForcing failing(Path directory) throws IOException {
    return new NameForcing(
        new FaultyChannel(FileChannel.open(directory, StandardOpenOption.READ), 0, false));
  }

  private static BodyTarget target(Path to, FileChannel channel, NameForcing.Opener forcing)
      throws IOException {
    FinalName name = FinalName.check(to, true);
    return new FileTarget(
        new PartFile(
            name, name.temporary("resume.part"), channel, FileOptions.DEFAULT, forcing, 0));
  }

  @Test
  void shouldRepeatTheNameThatAPeerAskedForOutsideOfTheDirectory() throws IOException {
    DirectoryPlacement placement =
        DirectoryPlacement.under(Files.createDirectory(directory.resolve("served")));
    Files.writeString(directory.resolve("secret"), "text");
    Files.createSymbolicLink(directory.resolve("served/link"), directory.resolve("secret"));
    assertReadTold(
        "\"../secret\" contains \"..\"",
        _ -> is(BulkSource.file(placement.forReading("../secret"))));
    assertReadTold(
        "\"link\" leaves the directory by a link",
        _ -> is(BulkSource.file(placement.forReading("link"))));
    assertWriteTold(
        "\"no/to\" does not exist or cannot be reached",
        _ -> is(BulkTarget.file(placement.forWriting("no/to"))));
  }

  @Test
  void shouldTellACallerTheNameOfAFileThatAHandlerStumblesOver() {
    UncheckedIOException thrown =
        new UncheckedIOException(new AccessDeniedException(directory.resolve("f").toString()));
    String told = "java.nio.file.AccessDeniedException: f";
    List<Route<ByteString, ByteString>> routes =
        List.of(Route.bytes("executor"), Route.bytes("worker"));
    server.serve(
        routes.get(0),
        _ -> {
          throw thrown;
        });
    server.serveOnWorker(
        routes.get(1),
        _ -> {
          throw thrown;
        });
    for (Route<ByteString, ByteString> route : routes) {
      assertTold(
          told, client.peer(server.address()).unary(route, ByteString.fromArray(new byte[1])));
    }
    assertEquals(2, server.snapshot().handlerFaults());
  }
}
