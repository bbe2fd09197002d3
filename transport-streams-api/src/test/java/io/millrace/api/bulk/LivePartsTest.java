package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of killed processes are deleted, and the files of living processes stay. */
@Timeout(120)
final class LivePartsTest {
  private static final String RANDOM = "0123456789abcdef";
  private static final int FILES = 200;

  @TempDir Path directory;

  @Test
  void shouldDeleteWhatAKilledProcessLeftAndNothingBefore() throws Exception {
    Path file = directory.resolve("file");
    try (PartProcess writer = PartProcess.writing(file, 1)) {
      assertEquals(1, TestBytes.names(directory).size());
      assertEquals(0, BulkTarget.removeAbandoned(directory));
      assertEquals(1, TestBytes.names(directory).size());

      writer.kill();

      assertEquals(1, BulkTarget.removeAbandoned(directory));
      assertEquals(List.of(), TestBytes.names(directory));
    }
  }

  @Test
  void shouldLetAnotherProcessFinishWhatItWritesMeanwhile() throws Exception {
    Path file = directory.resolve("file");
    try (PartProcess first = PartProcess.writing(file, 1);
        PartProcess second = PartProcess.writing(file, 2)) {
      assertEquals(0, BulkTarget.removeAbandoned(directory));
      assertEquals(0, first.end());
      assertArrayEquals(filled(1), Files.readAllBytes(file));
      assertEquals(0, BulkTarget.removeAbandoned(directory));
      assertEquals(0, second.end());
      assertArrayEquals(filled(2), Files.readAllBytes(file));
    }
    assertEquals(List.of("file"), TestBytes.names(directory));
  }

  @Test
  void shouldKeepWhatThisProcessWrites() throws Exception {
    Path file = directory.resolve("file");
    BodyTarget target = BulkTarget.file(file);
    target.write(filled(3), 0, PartProcess.BYTES);
    assertEquals(0, BulkTarget.removeAbandoned(directory));
    // The search must not have ended the lock.
    try (PartProcess remover = PartProcess.removing(directory)) {
      target.complete();
      assertEquals(0, remover.end());
    }
    assertArrayEquals(filled(3), Files.readAllBytes(file));
    assertEquals(0, BulkTarget.removeAbandoned(directory));
    assertEquals(List.of("file"), TestBytes.names(directory));
  }

  @Test
  void shouldWriteFilesWhileOthersLookForAbandonedOnes() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    try (PartProcess remover = PartProcess.removing(directory)) {
      CompletableFuture<Void> here = CompletableFuture.runAsync(() -> removeUntil(ended));
      for (int i = 0; i < FILES; i++) {
        byte[] bytes = {(byte) i};
        BodyDriver.run(BulkSource.of(bytes), BulkTarget.file(directory.resolve("f" + i)), i);
      }
      ended.set(true);
      here.get();
      assertEquals(0, remover.end());
    }
    assertEquals(FILES, TestBytes.names(directory).size());
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(new byte[] {(byte) i}, Files.readAllBytes(directory.resolve("f" + i)));
    }
  }

  private void removeUntil(AtomicBoolean ended) {
    while (!ended.get()) {
      try {
        BulkTarget.removeAbandoned(directory);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void shouldLeaveEverythingThatIsNoSuchFile() throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "text");
    Files.createSymbolicLink(directory.resolve(".a.millrace-" + RANDOM + ".part"), victim);
    Files.createDirectory(directory.resolve(".b.millrace-" + RANDOM + ".part"));
    Files.createFile(directory.resolve(".c.millrace-resume.part"));
    Files.createFile(directory.resolve(".c.millrace-resume.state"));
    Files.createFile(directory.resolve(".c.millrace-resume.state.part"));
    Files.createFile(directory.resolve("d.millrace-" + RANDOM + ".part"));
    Files.createFile(directory.resolve(".e.millrace-" + RANDOM + "0.part"));
    Files.createFile(directory.resolve(".f.millrace-" + RANDOM + ".parts"));
    List<String> before = TestBytes.names(directory);
    Path sub = Files.createDirectory(directory.resolve("sub"));
    Files.createFile(sub.resolve(".g.millrace-" + RANDOM + ".part"));
    Path abandoned = Files.createFile(directory.resolve(".h.millrace-" + RANDOM + ".part"));

    assertEquals(1, BulkTarget.removeAbandoned(directory));

    assertEquals(false, Files.exists(abandoned));
    assertEquals(before.size() + 1, TestBytes.names(directory).size());
    assertEquals(1, TestBytes.names(sub).size());
  }

  @Test
  void shouldSayThatADirectoryCannotBeListed() {
    Path missing = directory.resolve("missing");
    IOException e = assertThrows(IOException.class, () -> BulkTarget.removeAbandoned(missing));
    assertEquals("cannot read " + missing + ": no such file or directory", e.getMessage());
  }

  private static byte[] filled(int value) {
    byte[] bytes = new byte[PartProcess.BYTES];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
