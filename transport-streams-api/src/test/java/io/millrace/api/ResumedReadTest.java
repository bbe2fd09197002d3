package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.bulk.FileOptions;
import io.millrace.api.bulk.ResumableTarget;
import io.millrace.body.ForwardingTarget;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file with a sender killed in the middle; another sender continues the file from there. */
@Timeout(120)
class ResumedReadTest {
  static final RouteId FILE = RouteId.of("file-from");

  private static final int BYTES = 2_000_003;
  private static final int STOPPED_BYTES = 10 * 65_536;
  private static final byte[] IDENTITY = {4, 2};

  @TempDir Path directory;

  /** A target that counts the bytes of its file. */
  private static final class Counting extends ForwardingTarget {
    private volatile long bytes;

    Counting(BodyTarget target) {
      super(target);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      super.write(from, offset, length);
      long sum = bytes + length;
      bytes = sum;
    }
  }

  private static CompletableFuture<BulkReceipt> read(
      Transport reader, String address, BodyTarget target, long from) {
    byte[] headers = ByteBuffer.allocate(Long.BYTES).putLong(from).array();
    return Raw.bulkRead(
        reader.peer(address), FILE, target, TransferOptions.DEFAULTS.withHeaders(headers));
  }

  private static NodeProcess sender(Path file) throws IOException {
    return NodeProcess.start(
        FileSenderMain.class, file.toString(), Integer.toString(STOPPED_BYTES));
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  private ResumableTarget open(Path to) throws IOException {
    return BulkTarget.resumable(to, IDENTITY, FileOptions.DEFAULT);
  }

  /** Reads until the sender has stopped, and kills the sender. */
  private void readHalf(Transport reader, Path from, Path to) throws Exception {
    Counting target = new Counting(open(to));
    try (NodeProcess sender = sender(from)) {
      String address = sender.await("address")[1];
      CompletableFuture<BulkReceipt> read = read(reader, address, target, 0);
      while (target.bytes < STOPPED_BYTES) {
        assertFalse(read.isDone(), "it ended before it was killed");
        LockSupport.parkNanos(TwoNodes.LOOK_AGAIN_NS);
      }
      sender.kill();
      ExecutionException thrown =
          assertThrows(ExecutionException.class, () -> read.get(60, TimeUnit.SECONDS));
      CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
      assertEquals(CallOutcome.PEER_UNRESPONSIVE, failure.outcome());
    }
    assertEquals(STOPPED_BYTES, target.bytes);
  }

  @Test
  void shouldReadOnlyWhatIsMissingAfterTheSenderWasKilled() throws Exception {
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    Path from = Files.write(directory.resolve("from"), bytes);
    Path arriving = Files.createDirectory(directory.resolve("arriving"));
    Path to = arriving.resolve("to");
    String soon = "millrace.recovery { probe-period = 500 ms, fail-after = 3 s }";
    try (Transport reader = Transport.start(TwoNodes.settings(soon))) {
      readHalf(reader, from, to);
      assertFalse(Files.exists(to), "half a file has the name of the whole one");
      ResumableTarget target = open(to);
      assertEquals(STOPPED_BYTES, target.resumeOffset());
      try (NodeProcess sender = sender(from)) {
        BulkReceipt receipt =
            read(reader, sender.await("address")[1], target, target.resumeOffset())
                .get(60, TimeUnit.SECONDS);
        assertEquals(BYTES - STOPPED_BYTES, receipt.bytes());
      }
    }
    assertArrayEquals(bytes, Files.readAllBytes(to));
    assertEquals(List.of("to"), names(arriving));
  }
}
