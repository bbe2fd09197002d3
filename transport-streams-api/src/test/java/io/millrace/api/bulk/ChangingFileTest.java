package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change before the read of their last bytes. */
final class ChangingFileTest {
  private static final int BYTES = 200_000;
  private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000_000_000L);

  @TempDir Path directory;
  private Path from = Path.of("");
  private Path to = from;

  /** Creates a file with a time outside the clock tick of the test's change. */
  @BeforeEach
  void makeFile() throws IOException {
    from = Files.write(directory.resolve("from"), new byte[BYTES]);
    Files.setLastModifiedTime(from, LONG_AGO);
    to = directory.resolve("to");
  }

  private interface Change {
    void make() throws IOException;
  }

  private void expectFailure(Change change) throws IOException {
    BodySource source = BulkSource.file(from);
    byte[] first = new byte[10];
    assertEquals(10, source.read(first, 0, 10));
    change.make();
    IOException failure =
        assertThrows(
            IOException.class, () -> BodyDriver.run(source, BulkTarget.file(to), BYTES - 10));
    assertEquals(
        "cannot read " + from + ": the file changed during the read", failure.getMessage());
    assertEquals(
        List.of(), TestBytes.names(directory).stream().filter(n -> n.contains("to")).toList());
  }

  @Test
  void shouldFailWhenBytesWereOverwritten() throws IOException {
    expectFailure(
        () -> {
          try (FileChannel channel = FileChannel.open(from, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(new byte[] {1}), 0);
          }
        });
  }

  @Test
  void shouldFailWhenBytesWereAppended() throws IOException {
    expectFailure(() -> Files.write(from, new byte[1], StandardOpenOption.APPEND));
  }

  @Test
  void shouldFailWhenItGrewAndTheTimeTellsNothing() throws IOException {
    expectFailure(
        () -> {
          Files.write(from, new byte[1], StandardOpenOption.APPEND);
          Files.setLastModifiedTime(from, LONG_AGO);
        });
  }

  @Test
  void shouldFailWhenAnotherFileTookItsName() throws IOException {
    expectFailure(
        () -> {
          Path other = Files.write(directory.resolve("other"), new byte[BYTES]);
          Files.setLastModifiedTime(other, LONG_AGO);
          Files.move(other, from, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  @Test
  void shouldFailWhenItWasDeleted() throws IOException {
    expectFailure(() -> Files.delete(from));
  }

  @Test
  void shouldTakeAFileThatWasLeftAlone() throws IOException {
    BodySource source = BulkSource.file(from);
    assertEquals(BYTES, BodyDriver.run(source, BulkTarget.file(to), 1));
    assertEquals(BYTES, Files.size(to));
  }
}
