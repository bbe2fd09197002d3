package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in files. */
final class FileBodyTest {
  private static final int MANY = 1_000_003;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 262_143, 262_144, 262_145, MANY})
  void shouldMoveFilesOfAnyLength(int length) throws IOException {
    byte[] bytes = TestBytes.random(length, length);
    Path from = Files.write(directory.resolve("from"), bytes);
    Path to = directory.resolve("to");
    BodySource source = BulkSource.file(from);
    assertEquals(length, source.lengthBytes());
    assertEquals(length, BodyDriver.run(source, BulkTarget.file(to), length));
    assertArrayEquals(bytes, Files.readAllBytes(to));
    assertEquals(List.of("from", "to"), TestBytes.names(directory));
  }

  @Test
  void shouldGoOnAtAnOffset() throws IOException {
    byte[] bytes = TestBytes.random(MANY, 3);
    Path from = Files.write(directory.resolve("from"), bytes);
    byte[] to = new byte[3];
    assertEquals(3, BodyDriver.run(BulkSource.file(from, MANY - 3), BulkTarget.into(to), 3));
    assertArrayEquals(new byte[] {bytes[MANY - 3], bytes[MANY - 2], bytes[MANY - 1]}, to);
    assertEquals(0, BodyDriver.run(BulkSource.file(from, MANY), BulkTarget.into(to), 3));
    assertEquals(
        "cannot read " + from + " from byte 1000004: it has 1000003 bytes",
        message(() -> BulkSource.file(from, MANY + 1)));
    assertThrows(IllegalArgumentException.class, () -> BulkSource.file(from, -1));
  }

  @Test
  void shouldSayWhyAFileCannotBeRead() {
    Path missing = directory.resolve("missing");
    assertEquals(
        "cannot read " + missing + ": no such file or directory",
        message(() -> BulkSource.file(missing)));
    assertEquals(
        "cannot read " + directory + ": not a regular file",
        message(() -> BulkSource.file(directory)));
  }

  /**
   * The kernel reports a length of 0 for this file; an empty body would count as the whole file.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldRefuseAFileThatTellsALengthThatItDoesNotHave() {
    Path status = Path.of("/proc/self/status");
    assertEquals(
        "cannot read "
            + status
            + ": the file holds more than the 0 bytes that the file system reports; send a copy of"
            + " the file, or its bytes as a stream",
        message(() -> BulkSource.file(status)));
  }

  @Test
  void shouldFailWhenAFileShrinks() throws IOException {
    Path from = Files.write(directory.resolve("from"), new byte[MANY]);
    try (BodySource source = BulkSource.file(from)) {
      byte[] into = new byte[1000];
      assertEquals(1000, source.read(into, 0, 1000));
      Files.write(from, new byte[1500]);
      assertEquals(500, source.read(into, 0, 1000));
      assertEquals(
          "cannot read " + from + ": the file shrank to 1500 of 1000003 bytes during the read",
          message(() -> source.read(into, 0, 1000)));
    }
  }

  @Test
  void shouldFailWhenTheDeviceFailsARead() throws IOException {
    Path from = Files.write(directory.resolve("from"), new byte[MANY]);
    FileChannel channel = FileChannel.open(from, StandardOpenOption.READ);
    BodySource source =
        new FileSource(
            from, new FaultyChannel(channel, 100_000, true), FileStamp.of(from), 0, MANY);
    assertEquals(
        "cannot read " + from + ": Input/output error",
        message(() -> BodyDriver.run(source, BulkTarget.into(new byte[MANY]), 5)));
    assertFalse(channel.isOpen());
  }

  @Test
  void shouldShowNothingUnderTheFinalNameBeforeTheEnd() throws IOException {
    Path to = Files.writeString(directory.resolve("to"), "old");
    BodyTarget target = BulkTarget.file(to);
    target.write(new byte[MANY], 0, MANY);
    assertEquals("old", Files.readString(to));
    List<String> names = TestBytes.names(directory);
    assertEquals(2, names.size());
    assertTrue(names.get(0).matches("\\.to\\.millrace-[0-9a-f]{16}\\.part"), names::toString);
    target.complete();
    assertArrayEquals(new byte[MANY], Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldLeaveTheOldFileAndNoOtherAfterAnAbort() throws IOException {
    Path to = Files.writeString(directory.resolve("to"), "old");
    BodyTarget target = BulkTarget.file(to);
    target.write(new byte[MANY], 0, MANY);
    target.abort(new IOException("the peer is gone"));
    assertEquals("old", Files.readString(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldNameTheFinalFileWhenTheDeviceIsFull() throws IOException {
    Path to = directory.resolve("to");
    BodyTarget target = faulty(to, FileOptions.DEFAULT, 700_000, true);
    assertEquals(
        "cannot write " + to + ": No space left on device",
        message(() -> BodyDriver.run(BulkSource.of(new byte[MANY]), target, 6)));
    assertEquals(List.of(), TestBytes.names(directory));
  }

  @Test
  void shouldFailWhenTheLastBytesFindTheDeviceFull() throws IOException {
    Path to = directory.resolve("to");
    BodyTarget target = faulty(to, FileOptions.DEFAULT, 50, true);
    target.write(new byte[100], 0, 100);
    assertEquals("cannot write " + to + ": No space left on device", message(target::complete));
    assertEquals(List.of(), TestBytes.names(directory));
  }

  @Test
  void shouldFailWhenBytesCannotBeForcedAndSucceedWhenTheyNeedNot() throws IOException {
    Path to = directory.resolve("to");
    BodyTarget forced = faulty(to, FileOptions.DEFAULT, MANY, false);
    assertEquals("cannot write " + to + ": Input/output error", message(forced::complete));
    assertEquals(List.of(), TestBytes.names(directory));
    faulty(to, FileOptions.DEFAULT.withoutForcing(), MANY, false).complete();
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldRefuseAFileThatExistsAtTheStartOrAtTheEnd() throws IOException {
    Path to = directory.resolve("to");
    FileOptions options = FileOptions.DEFAULT.withoutReplacing();
    BodyTarget late = BulkTarget.file(to, options);
    BodyTarget target = BulkTarget.file(to, options);
    target.write(new byte[] {1}, 0, 1);
    target.complete();
    assertEquals("cannot write " + to + ": the file exists already", message(late::complete));
    assertEquals(
        "cannot write " + to + ": the file exists already",
        message(() -> BulkTarget.file(to, options)));
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldRefuseDirectoriesAndMissingDirectories() throws IOException {
    assertEquals(
        "cannot write " + directory + ": it is a directory",
        message(() -> BulkTarget.file(directory)));
    Path lost = directory.resolve("missing/file");
    assertEquals(
        "cannot write " + lost + ": no such file or directory",
        message(() -> BulkTarget.file(lost)));
    assertEquals(List.of(), TestBytes.names(directory));
  }

  @Test
  void shouldReplaceALinkAndNotWhatItPointsTo() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "untouched");
    Path to = Files.createSymbolicLink(directory.resolve("to"), victim);
    BodyDriver.run(BulkSource.of(new byte[] {1}), BulkTarget.file(to), 7);
    assertEquals("untouched", Files.readString(victim));
    assertFalse(Files.isSymbolicLink(to));
  }

  @Test
  void shouldWriteNamesAsLongAsTheFileSystemAllows() throws IOException {
    Path ascii = directory.resolve("n".repeat(255));
    Path wide = directory.resolve("\u00e4".repeat(127));
    for (Path to : List.of(ascii, wide)) {
      BodyDriver.run(BulkSource.of(new byte[] {1}), BulkTarget.file(to), 8);
      assertArrayEquals(new byte[] {1}, Files.readAllBytes(to));
    }
  }

  private static BodyTarget faulty(
      Path to, FileOptions options, long roomBytes, boolean isForceable) throws IOException {
    FinalName name = FinalName.check(to, options.replace());
    Path part = name.temporary("test.part");
    FileChannel real =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    FileChannel channel = new FaultyChannel(real, roomBytes, isForceable);
    return new FileTarget(new PartFile(name, part, channel, options, NameForcing::open, 0));
  }

  private static String message(org.junit.jupiter.api.function.Executable failing) {
    return String.valueOf(assertThrows(IOException.class, failing).getMessage());
  }
}
