package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.CorruptJournalException;
import io.millrace.samples.log.disk.FileJournal;
import io.millrace.samples.log.disk.Frames;
import io.millrace.samples.log.disk.JournalRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The content of a journal after a crash, and after damage to its files. */
final class FileJournalTest {
  private static final Ballot BALLOT = new Ballot(1, 0);

  @TempDir private Path directory;

  private static JournalRecord record(long slot) {
    return JournalRecord.accepted(new Entry(slot, BALLOT, ByteString.fromString("value " + slot)));
  }

  private static List<JournalRecord> records(int from, int through) {
    return IntStream.rangeClosed(from, through).mapToObj(FileJournalTest::record).toList();
  }

  /** Each record is forced before the next record is written. */
  private void write(int from, int through) throws IOException {
    try (FileJournal journal = FileJournal.open(directory)) {
      records(from, through).forEach(each -> journal.append(each).toCompletableFuture().join());
    }
  }

  private List<JournalRecord> read() throws IOException {
    try (FileJournal journal = FileJournal.open(directory)) {
      return journal.recovered().records();
    }
  }

  private Path log() {
    return directory.resolve("0.log");
  }

  @Test
  void shouldHaveADirectoryForItself() throws IOException {
    try (FileJournal _ = FileJournal.open(directory)) {
      IOException refused =
          assertThrows(IOException.class, () -> FileJournal.open(directory).close());
      assertEquals(directory + " is in use by another replica", refused.getMessage());
    }
    assertEquals(List.of(), read());
  }

  @Test
  void shouldHaveWhatWasForced() throws IOException {
    write(1, 3);
    write(4, 5);
    assertEquals(records(1, 5), read());
  }

  @Test
  void shouldCutOffTornEndAtEveryLength() throws IOException {
    write(1, 2);
    long two = Files.size(log());
    write(3, 3);
    byte[] whole = Files.readAllBytes(log());
    for (int length = (int) two; length < whole.length; length++) {
      Files.write(log(), Arrays.copyOf(whole, length));
      assertEquals(records(1, 2), read(), "torn at " + length);
      assertEquals(two, Files.size(log()));
    }
    write(3, 3);
    assertEquals(records(1, 3), read());
  }

  @Test
  void shouldCutOffLastRecordWhoseBytesAreWrong() throws IOException {
    write(1, 3);
    byte[] bytes = Files.readAllBytes(log());
    bytes[bytes.length - 1] ^= 1;
    Files.write(log(), bytes);
    assertEquals(records(1, 2), read());
  }

  @Test
  void shouldRefuseCorruptionInTheMiddleAndChangeNothing() throws IOException {
    write(1, 3);
    byte[] whole = Files.readAllBytes(log());
    int frame = (whole.length - Frames.FILE_HEADER_BYTES) / 3;
    int second = Frames.FILE_HEADER_BYTES + frame;
    for (int at = second; at < second + frame; at++) {
      byte[] bytes = whole.clone();
      bytes[at] ^= 0x10;
      Files.write(log(), bytes);
      CorruptJournalException failure =
          assertThrows(CorruptJournalException.class, () -> FileJournal.open(directory));
      assertTrue(
          String.valueOf(failure.getMessage()).contains("0.log is corrupt at byte " + second),
          String.valueOf(failure.getMessage()));
      assertEquals(whole.length, Files.size(log()));
    }
  }

  /** A client may send any bytes seen of a log. */
  @Test
  void shouldTakeNoCopyOfAFrameInATornEndForAFrame() throws IOException {
    write(1, 2);
    byte[] two = Files.readAllBytes(log());
    Entry copy = new Entry(3, BALLOT, ByteString.fromArray(two));
    try (FileJournal journal = FileJournal.open(directory)) {
      journal.append(JournalRecord.accepted(copy)).toCompletableFuture().join();
    }
    byte[] whole = Files.readAllBytes(log());
    for (int length = two.length; length < whole.length; length++) {
      Files.write(log(), Arrays.copyOf(whole, length));
      assertEquals(records(1, 2), read(), "torn at " + length);
    }
  }

  /** A file system leaves blocks of zeros after a write cut short. */
  @Test
  void shouldCutOffAnEndWithAHole() throws IOException {
    write(1, 2);
    int two = (int) Files.size(log());
    write(3, 3);
    byte[] whole = Files.readAllBytes(log());
    for (int from = two; from < whole.length; from++) {
      byte[] bytes = whole.clone();
      Arrays.fill(bytes, from, whole.length, (byte) 0);
      Files.write(log(), bytes);
      assertEquals(records(1, 2), read(), "zeros from " + from);
    }
  }

  @Test
  void shouldBeginAnewAFileWhoseHeaderIsTorn() throws IOException {
    write(1, 1);
    byte[] whole = Files.readAllBytes(log());
    for (int length = 0; length < Frames.FILE_HEADER_BYTES; length++) {
      Files.write(log(), Arrays.copyOf(whole, length));
      assertEquals(List.of(), read(), "torn at " + length);
    }
    write(1, 2);
    assertEquals(records(1, 2), read());
    byte[] bytes = Files.readAllBytes(log());
    bytes[5] ^= 1;
    Files.write(log(), bytes);
    assertThrows(CorruptJournalException.class, () -> FileJournal.open(directory));
  }

  @Test
  void shouldRefuseFilesOfAnEarlierVersion() throws IOException {
    Files.write(log(), new byte[] {'M', 'L', 'O', 'G', 0, 0, 0, 4, 1, 2, 3, 4, 0, 0, 0, 0});
    CorruptJournalException failure =
        assertThrows(CorruptJournalException.class, () -> FileJournal.open(directory));
    assertTrue(String.valueOf(failure.getMessage()).contains("by an earlier version"));
  }

  @Test
  void shouldKeepCheckpointAndWhatCameAfterIt() throws IOException {
    Checkpoint checkpoint =
        new Checkpoint(
            ByteString.fromString("state"),
            new Promise(BALLOT, 2, List.of(new Entry(3, BALLOT, ByteString.fromString("x")))));
    try (FileJournal journal = FileJournal.open(directory)) {
      journal.append(record(1));
      journal.append(record(2));
      journal.checkpoint(checkpoint);
      journal.append(record(4)).toCompletableFuture().join();
    }
    try (FileJournal journal = FileJournal.open(directory)) {
      assertEquals(checkpoint, journal.recovered().checkpoint().orElseThrow());
      assertEquals(records(4, 4), journal.recovered().records());
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(
          List.of("1.checkpoint", "1.log", "lock"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void shouldUseOldFilesIfCheckpointWasNotFinished() throws IOException {
    write(1, 2);
    Files.write(directory.resolve("1.unfinished"), new byte[] {1, 2, 3});
    Files.createFile(directory.resolve("1.log"));
    assertEquals(records(1, 2), read());
  }
}
