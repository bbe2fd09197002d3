package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a later transfer finishes. */
final class ResumableTargetTest {
  private static final int MANY = 1_000_003;
  private static final int SOME = 700_001;
  private static final byte[] IDENTITY = {1, 2, 3};

  @TempDir Path directory;
  private Path to = Path.of("");
  private Path part = to;
  private Path record = to;
  private final byte[] bytes = TestBytes.random(MANY, 11);

  @BeforeEach
  void nameFiles() {
    to = directory.resolve("to");
    part = directory.resolve(".to.millrace-resume.part");
    record = directory.resolve(".to.millrace-resume.state");
  }

  private ResumableTarget open(byte[] identity) throws IOException {
    return BulkTarget.resumable(to, identity, FileOptions.DEFAULT);
  }

  private void interrupt(int length) throws IOException {
    ResumableTarget target = open(IDENTITY);
    int offset = (int) target.resumeOffset();
    target.write(bytes, offset, length - offset);
    target.abort(new IOException("the peer is gone"));
  }

  @Test
  void shouldGoOnWhereItWasInterruptedAgainAndAgain() throws IOException {
    Path from = Files.write(directory.resolve("from"), bytes);
    interrupt(1);
    interrupt(SOME);
    assertEquals(3, TestBytes.names(directory).size());
    ResumableTarget target = open(IDENTITY);
    assertEquals(SOME, target.resumeOffset());
    assertEquals(MANY - SOME, BodyDriver.run(BulkSource.file(from, SOME), target, 1));
    assertArrayEquals(bytes, Files.readAllBytes(to));
    assertEquals(List.of("from", "to"), TestBytes.names(directory));
  }

  @Test
  void shouldBeginWithoutAnyThingLeft() throws IOException {
    ResumableTarget target = open(IDENTITY);
    assertEquals(0, target.resumeOffset());
    BodyDriver.run(BulkSource.of(bytes), target, 2);
    assertArrayEquals(bytes, Files.readAllBytes(to));
    assertEquals(List.of("to"), TestBytes.names(directory));
  }

  @Test
  void shouldBeginAnewForAnotherIdentityAndForgetTheFirst() throws IOException {
    interrupt(SOME);
    ResumableTarget other = open(new byte[] {1, 2, 4});
    assertEquals(0, other.resumeOffset());
    assertEquals(List.of(".to.millrace-resume.part"), TestBytes.names(directory));
    assertEquals(0, Files.size(part));
    other.write(new byte[SOME], 0, SOME);
    other.abort(new IOException("the peer is gone"));
    ResumableTarget first = open(IDENTITY);
    assertEquals(0, first.resumeOffset());
    first.abort(new IOException("not wanted"));
  }

  @Test
  void shouldCutOffWhatNobodyVouchesFor() throws IOException {
    interrupt(SOME);
    Files.write(part, new byte[100], StandardOpenOption.APPEND);
    ResumableTarget target = open(IDENTITY);
    assertEquals(SOME, target.resumeOffset());
    assertEquals(SOME, Files.size(part));
    BodyDriver.run(BulkSource.of(java.util.Arrays.copyOfRange(bytes, SOME, MANY)), target, 3);
    assertArrayEquals(bytes, Files.readAllBytes(to));
  }

  @Test
  void shouldBeginAnewWhenThePartIsShorterThanItsRecord() throws IOException {
    interrupt(SOME);
    Files.write(part, new byte[SOME - 1]);
    ResumableTarget target = open(IDENTITY);
    assertEquals(0, target.resumeOffset());
    target.abort(new IOException("not wanted"));
  }

  @Test
  void shouldBeginAnewForEveryDamageToTheRecord() throws IOException {
    interrupt(SOME);
    byte[] good = Files.readAllBytes(record);
    byte[] kept = Files.readAllBytes(part);
    for (int length = 0; length < good.length; length++) {
      expectAnew(kept, java.util.Arrays.copyOf(good, length));
    }
    for (int at = 0; at < good.length; at++) {
      byte[] damaged = good.clone();
      damaged[at] ^= 1;
      expectAnew(kept, damaged);
    }
    expectAnew(kept, new byte[5000]);
  }

  private void expectAnew(byte[] kept, byte[] damagedRecord) throws IOException {
    Files.write(part, kept);
    Files.write(record, damagedRecord);
    ResumableTarget target = open(IDENTITY);
    assertEquals(0, target.resumeOffset());
    target.abort(new IOException("not wanted"));
  }

  @Test
  void shouldKeepWhatFittedWhenTheDeviceWasFull() throws IOException {
    FinalName name = FinalName.check(to, true);
    FileChannel real = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FaultyChannel channel = new FaultyChannel(real, SOME, true);
    PartFile file = new PartFile(name, part, channel, FileOptions.DEFAULT, NameForcing::open, 0);
    ResumableTarget target = new ResumableTarget(name, name.unique(), IDENTITY, file, 0);
    IOException full =
        assertThrows(IOException.class, () -> BodyDriver.run(BulkSource.of(bytes), target, 4));
    assertEquals("cannot write " + to + ": No space left on device", full.getMessage());
    ResumableTarget next = open(IDENTITY);
    assertEquals(SOME, next.resumeOffset());
    next.write(bytes, SOME, MANY - SOME);
    next.complete();
    assertArrayEquals(bytes, Files.readAllBytes(to));
  }

  @Test
  void shouldKeepAllBytesWhenTheDeviceHasRoomAgain() throws IOException {
    FinalName name = FinalName.check(to, true);
    FileChannel real = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FaultyChannel channel = new FaultyChannel(real, 100, true);
    PartFile file = new PartFile(name, part, channel, FileOptions.DEFAULT, NameForcing::open, 0);
    ResumableTarget target = new ResumableTarget(name, name.unique(), IDENTITY, file, 0);
    target.write(bytes, 0, 1000);
    IOException full = assertThrows(IOException.class, file::flush);
    channel.makeRoom(MANY);
    target.abort(full);
    ResumableTarget next = open(IDENTITY);
    assertEquals(1000, next.resumeOffset());
    next.write(bytes, 1000, MANY - 1000);
    next.complete();
    assertArrayEquals(bytes, Files.readAllBytes(to));
  }

  @Test
  void shouldLetOneTransferWriteAtATime() throws IOException {
    ResumableTarget first = open(IDENTITY);
    IOException refused = assertThrows(IOException.class, () -> open(IDENTITY));
    assertEquals(
        "cannot write " + to + ": another resumable transfer is writing it", refused.getMessage());
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    Path alias = link.resolve("to");
    IOException again =
        assertThrows(
            IOException.class, () -> BulkTarget.resumable(alias, IDENTITY, FileOptions.DEFAULT));
    assertEquals(
        "cannot write " + alias + ": another resumable transfer is writing it", again.getMessage());
    first.complete();
    open(IDENTITY).abort(new IOException("not wanted"));
  }

  @Test
  void shouldStayResumableWhenTheNameWasTakenMeanwhile() throws IOException {
    ResumableTarget target =
        BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT.withoutReplacing());
    target.write(bytes, 0, SOME);
    Files.writeString(to, "other");
    assertThrows(IOException.class, target::complete);
    assertEquals("other", Files.readString(to));
    ResumableTarget again = open(IDENTITY);
    assertEquals(SOME, again.resumeOffset());
    again.abort(new IOException("not wanted"));
  }

  @Test
  void shouldRefuseALinkInThePlaceOfItsPart() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Files.createSymbolicLink(part, victim);
    IOException refused = assertThrows(IOException.class, () -> open(IDENTITY));
    assertEquals(
        "cannot write " + to + ": its temporary file .to.millrace-resume.part is a link",
        refused.getMessage());
    assertEquals("precious", Files.readString(victim));
    Files.delete(part);
    open(IDENTITY).complete();
  }

  /** The target of the dangling link must not appear, either. */
  @Test
  void shouldNotMakeWhatALinkInThePlaceOfItsPartNames() throws IOException {
    Path victim = directory.resolve("victim");
    Files.createSymbolicLink(part, victim);
    assertThrows(IOException.class, () -> open(IDENTITY));
    assertFalse(Files.exists(victim));
  }

  @Test
  void shouldReplaceALinkInThePlaceOfItsSpareRecord() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Path spare = directory.resolve(".to.millrace-resume.state.part");
    Files.createSymbolicLink(spare, victim);
    interrupt(SOME);
    assertEquals("precious", Files.readString(victim));
    Files.createLink(spare, victim);
    interrupt(SOME + 1);
    assertEquals("precious", Files.readString(victim));
    ResumableTarget again = open(IDENTITY);
    assertEquals(SOME + 1, again.resumeOffset());
    again.abort(new IOException("not wanted"));
  }

  @Test
  void shouldCountALinkInThePlaceOfItsRecordAsNone() throws IOException {
    interrupt(SOME);
    Path victim = Files.move(record, directory.resolve("victim"));
    Files.createSymbolicLink(record, victim);
    ResumableTarget target = open(IDENTITY);
    assertEquals(0, target.resumeOffset());
    assertFalse(Files.exists(record, LinkOption.NOFOLLOW_LINKS));
    assertTrue(Files.exists(victim));
    target.abort(new IOException("not wanted"));
  }

  @Test
  void shouldRefuseAnIdentityThatIsTooLong() {
    byte[] identity = new byte[ResumableTarget.MAX_IDENTITY_BYTES + 1];
    assertThrows(IllegalArgumentException.class, () -> open(identity));
  }

  @Test
  void shouldTakeTheLongestIdentity() throws IOException {
    byte[] identity = new byte[ResumableTarget.MAX_IDENTITY_BYTES];
    ResumableTarget target = open(identity);
    target.write(bytes, 0, 10);
    target.abort(new IOException("the peer is gone"));
    ResumableTarget again = open(identity);
    assertEquals(10, again.resumeOffset());
    again.abort(new IOException("not wanted"));
  }
}
