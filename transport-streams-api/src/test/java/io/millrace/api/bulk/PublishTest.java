package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The messages and the remaining files when one of the last steps of a file fails. Fakes play an
 * unreadable directory and a device that fails after the rename: tests may run as root, with all
 * permissions.
 */
final class PublishTest {
  private static final byte[] IDENTITY = {7};
  private static final byte[] BYTES = {1, 2, 3, 4};
  private static final NameForcing.Opener UNREADABLE =
      directory -> {
        throw new AccessDeniedException(directory.toString());
      };

  /** An opener of a directory that cannot be forced. */
  private static final NameForcing.Opener FAILING =
      directory ->
          new NameForcing(
              new FaultyChannel(FileChannel.open(directory, StandardOpenOption.READ), 0, false));

  @TempDir Path directory;
  private Path to = Path.of("");

  @BeforeEach
  void writeOld() throws IOException {
    to = Files.writeString(directory.resolve("to"), "old");
  }

  private PartFile part(NameForcing.Opener forcing) throws IOException {
    FinalName name = FinalName.check(to, true);
    Path part = name.temporary("resume.part");
    FileChannel channel =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return new PartFile(name, part, channel, FileOptions.DEFAULT, forcing, 0);
  }

  private BodyTarget target(NameForcing.Opener forcing) throws IOException {
    BodyTarget target = new FileTarget(part(forcing));
    target.write(BYTES, 0, BYTES.length);
    return target;
  }

  private BodyTarget resumable(NameForcing.Opener forcing) throws IOException {
    FinalName name = FinalName.check(to, true);
    BodyTarget target = new ResumableTarget(name, name.unique(), IDENTITY, part(forcing), 0);
    target.write(BYTES, 0, BYTES.length);
    return target;
  }

  @Test
  void shouldLeaveTheOldFileWhenTheDirectoryCannotBeOpened() throws IOException {
    BodyTarget target = target(UNREADABLE);
    IOException failure = assertThrows(IOException.class, target::complete);
    assertEquals("cannot write " + to + ": permission denied", failure.getMessage());
    assertFalse(failure instanceof UnforcedNameException);
    assertEquals("old", Files.readString(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldSayThatAFileIsInPlaceWhenItsNameCannotBeForced() throws IOException {
    BodyTarget target = target(FAILING);
    IOException failure = assertThrows(UnforcedNameException.class, target::complete);
    assertEquals(
        to + " is in place, but perhaps not on the device: Input/output error",
        failure.getMessage());
    assertArrayEquals(BYTES, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldKeepAPartThatCanGoOnWhenTheDirectoryCannotBeOpened() throws IOException {
    BodyTarget target = resumable(UNREADABLE);
    assertThrows(IOException.class, target::complete);
    assertEquals("old", Files.readString(to));
    ResumableTarget next = BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT);
    assertEquals(BYTES.length, next.resumeOffset());
    next.complete();
    assertArrayEquals(BYTES, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldForgetAPartThatIsInPlaceWhenItsNameCannotBeForced() throws IOException {
    assertThrows(UnforcedNameException.class, resumable(FAILING)::complete);
    assertArrayEquals(BYTES, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  /** Returns a target with the usual lock, and without forcing. */
  private BodyTarget unforced(FaultyChannel.Closing closing) throws IOException {
    FinalName name = FinalName.check(to, true);
    LiveParts.Created made = LiveParts.create(name);
    FaultyChannel channel = new FaultyChannel(made.channel(), BYTES.length, false);
    channel.onClose(closing);
    FileOptions options = FileOptions.DEFAULT.withoutForcing();
    BodyTarget target =
        new FileTarget(new PartFile(name, made.part(), channel, options, NameForcing::open, 0));
    target.write(BYTES, 0, BYTES.length);
    return target;
  }

  /** The lock ends with the close: a search by another process at this moment must find no part. */
  @Test
  void shouldKeepTheLockOfAnUnforcedFileUntilItHasItsName() throws IOException {
    unforced(() -> PartProcess.removing(directory).close()).complete();
    assertArrayEquals(BYTES, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldSayThatAFileIsInPlaceWhenItsLateBytesCannotBeWritten() throws IOException {
    BodyTarget target =
        unforced(
            () -> {
              throw new IOException("Disk quota exceeded");
            });
    IOException failure = assertThrows(UnforcedNameException.class, target::complete);
    assertEquals(
        to + " is in place, but perhaps not on the device: Disk quota exceeded",
        failure.getMessage());
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldLeaveNothingWhenTheDirectoryOfTheNameIsGone() throws IOException {
    Path sub = Files.createDirectory(directory.resolve("sub"));
    BodyTarget target = BulkTarget.file(sub.resolve("file"));
    target.write(BYTES, 0, BYTES.length);
    Files.move(sub, directory.resolve("moved"));
    IOException failure = assertThrows(IOException.class, target::complete);
    assertEquals(
        "cannot write " + sub.resolve("file") + ": no such file or directory",
        failure.getMessage());
    assertFalse(Files.exists(directory.resolve("moved/file")));
  }

  /** The state after a crash between the two steps of taking a free name. */
  @Test
  void shouldNotTouchAPublishedFileThatStillHasItsTemporaryNameToo() throws IOException {
    Files.delete(to);
    ResumableTarget first = BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT);
    first.write(BYTES, 0, BYTES.length);
    first.abort(new IOException("the peer is gone"));
    Files.createLink(to, directory.resolve(".to.millrace-resume.part"));
    ResumableTarget next = BulkTarget.resumable(to, new byte[] {9}, FileOptions.DEFAULT);
    assertEquals(0, next.resumeOffset());
    next.abort(new IOException("not wanted"));
    assertArrayEquals(BYTES, Files.readAllBytes(to));
  }

  @Test
  void shouldOpenAPartToItsOwnerOnlyAndKeepTheModeOfWhatItReplaces() throws IOException {
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxr-x--x"));
    BodyTarget target = BulkTarget.file(to);
    ResumableTarget resumable = BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT);
    for (String name : TestBytes.names(directory)) {
      String mode = name.equals("to") ? "rwxr-x--x" : "rw-------";
      assertEquals(mode, mode(directory.resolve(name)), name);
    }
    target.complete();
    assertEquals("rwxr-x--x", mode(to));
    resumable.complete();
    assertEquals("rwxr-x--x", mode(to));
    BulkTarget.file(to, FileOptions.DEFAULT.withoutForcing()).complete();
    assertEquals("rwxr-x--x", mode(to));
  }

  @Test
  void shouldGiveANewFileTheModeOfAnyOther() throws IOException {
    String usual = mode(Files.createFile(directory.resolve("usual")));
    Path fresh = directory.resolve("fresh");
    BulkTarget.file(fresh).complete();
    assertEquals(usual, mode(fresh));
    Path link = Files.createSymbolicLink(directory.resolve("link"), to);
    BulkTarget.file(link, FileOptions.DEFAULT.withoutForcing()).complete();
    assertEquals(usual, mode(link));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void shouldKnowADirectoryByEveryName() throws IOException {
    Path sub = Files.createDirectory(directory.resolve("sub"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    ResumableTarget first = BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT);
    for (Path alias : List.of(sub.resolve("../to"), link.resolve("to"))) {
      IOException refused =
          assertThrows(
              IOException.class, () -> BulkTarget.resumable(alias, IDENTITY, FileOptions.DEFAULT));
      assertEquals(
          "cannot write " + alias + ": another resumable transfer is writing it",
          refused.getMessage());
      assertLockedByOthers();
    }
    first.abort(new IOException("not wanted"));
  }

  /** Checks that another process cannot write the file, either. */
  private void assertLockedByOthers() throws IOException {
    try (PartProcess other = PartProcess.resuming(to, IDENTITY[0])) {
      assertEquals(
          "cannot write " + to + ": another resumable transfer is writing it", other.said());
    }
  }
}
