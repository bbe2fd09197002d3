package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files long enough to be written in blocks by other threads. */
final class LongFileTest {
  private static final int MIB = 1024 * 1024;
  private static final byte[] BYTES = TestBytes.random(6 * MIB, 1);

  @TempDir Path directory;

  private Path to() {
    return directory.resolve("to");
  }

  private Path part() throws IOException {
    return FinalName.check(to(), true).temporary("test.part");
  }

  private FaultyChannel channel(long roomBytes) throws IOException {
    return new FaultyChannel(
        FileChannel.open(part(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        roomBytes,
        true);
  }

  private PartFile file(FileChannel channel) throws IOException {
    FinalName name = FinalName.check(to(), true);
    return new PartFile(name, part(), channel, FileOptions.DEFAULT, NameForcing::open, 0);
  }

  private String full() {
    return "cannot write " + to() + ": No space left on device";
  }

  @Test
  void shouldFillABlockWhileTheBlockBeforeIsWritten() throws IOException {
    FaultyChannel channel = channel(Long.MAX_VALUE);
    CountDownLatch filled = new CountDownLatch(1);
    channel.onWrite(
        position -> {
          if (position >= MIB) {
            awaitOr(filled);
          }
        });
    BodyTarget target = new FileTarget(file(channel));
    target.write(BYTES, 0, 2 * MIB + MIB / 2);
    filled.countDown();
    target.write(BYTES, 2 * MIB + MIB / 2, 3 * MIB + MIB / 2);
    target.complete();
    assertArrayEquals(BYTES, Files.readAllBytes(to()));
  }

  private static void awaitOr(CountDownLatch filled) {
    try {
      assertTrue(filled.await(10, TimeUnit.SECONDS), "the next block waits for the write");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldTellTheFailureOfABlockAndLeaveNothing() throws IOException {
    BodyTarget target = new FileTarget(file(channel(2 * MIB + MIB / 2)));
    IOException failure =
        assertThrows(IOException.class, () -> target.write(BYTES, 0, BYTES.length));
    assertEquals(full(), failure.getMessage());
    target.abort(failure);
    assertEquals(List.of(), TestBytes.names(directory));
  }

  @Test
  void shouldWriteABlockAgainFromWhereItFailed() throws IOException {
    FaultyChannel channel = channel(MIB + MIB / 2);
    PartFile file = file(channel);
    file.append(BYTES, 0, 2 * MIB + MIB / 2);
    assertEquals(full(), assertThrows(IOException.class, file::flush).getMessage());
    assertEquals(MIB + MIB / 2, file.flushedBytes());
    channel.makeRoom(BYTES.length);
    file.flush();
    assertEquals(2 * MIB + MIB / 2, file.flushedBytes());
    file.append(BYTES, 2 * MIB + MIB / 2, 3 * MIB + MIB / 2);
    file.publish();
    assertArrayEquals(BYTES, Files.readAllBytes(to()));
  }

  /** A device tells the loss of bytes to one force only: the file must not count as forced. */
  @Test
  void shouldFailWhenAForceAheadOfTheEndFailed() throws Exception {
    FaultyChannel channel = channel(Long.MAX_VALUE);
    BodyTarget target = new FileTarget(file(channel));
    channel.setForceable(false);
    for (int i = 0; i < 6; i++) {
      target.write(BYTES, 0, BYTES.length);
    }
    channel.awaitForce();
    channel.setForceable(true);
    IOException failure = assertThrows(IOException.class, target::complete);
    assertEquals("cannot write " + to() + ": Input/output error", failure.getMessage());
    assertEquals(List.of(), TestBytes.names(directory));
  }
}
