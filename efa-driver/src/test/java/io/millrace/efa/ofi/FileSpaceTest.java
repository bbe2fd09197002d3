package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.PrimitiveIterator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSpaceTest {
  private static final int EINTR = 4;

  @TempDir Path directory;

  @Test
  void shouldRepeatACallThatASignalInterrupted() {
    PrimitiveIterator.OfInt answers = IntStream.of(EINTR, EINTR, 28, 0).iterator();
    assertEquals(28, FileSpace.uninterrupted(answers::nextInt));
    AtomicInteger calls = new AtomicInteger();
    int answer =
        FileSpace.uninterrupted(
            () -> {
              calls.incrementAndGet();
              return EINTR;
            });
    assertEquals(EINTR, answer);
    assertEquals(1_000, calls.get());
  }

  @Test
  void shouldTakeSpaceForAFileOfThisUser() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertEquals(0, FileSpace.reserve(file, 10_000));
    assertEquals(10_000, Files.size(file));
    assertEquals(FileSpace.user(), Files.getAttribute(file, "unix:uid"));
    assertEquals(-1, FileSpace.reserve(directory.resolve("absent"), 10_000));
  }
}
