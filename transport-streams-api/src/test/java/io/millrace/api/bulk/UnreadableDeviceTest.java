package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.CallException;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file on a device that fails in the middle, sent to a peer and read by a peer, over sockets. */
@Timeout(60)
class UnreadableDeviceTest {
  private static final Route<ByteString, ByteString> FILE = Route.bytes("file");
  private static final int BYTES = 3 << 20;
  private static final int READABLE_BYTES = (2 << 20) + 5;

  /** Settings with which the sender reads no further than the window ahead of the receiver. */
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace { handshake { provider = psk, psk = %s }, transfers.window = 512 KiB }"
              .formatted("5a".repeat(32)));

  @TempDir Path directory;
  private Path from = Path.of("");
  private Path arriving = Path.of("");
  private FileChannel channel;

  @BeforeEach
  void prepare() throws IOException {
    from = Files.write(directory.resolve("from"), new byte[BYTES]);
    arriving = Files.createDirectory(directory.resolve("arriving"));
    channel = FileChannel.open(from, StandardOpenOption.READ);
  }

  private BodySource source() throws IOException {
    return new FileSource(
        from, new FaultyChannel(channel, READABLE_BYTES, true), FileStamp.of(from), 0, BYTES);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertFalse(Thread.currentThread().isInterrupted(), "it took too long");
      Thread.onSpinWait();
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks that the failure is one sentence, that no file has the final name, and that no memory is
   * held.
   */
  private void assertFailed(CompletableFuture<BulkReceipt> future, Transport sender) {
    ExecutionException thrown = assertThrows(ExecutionException.class, future::get);
    CallException failure = assertInstanceOf(CallException.class, thrown.getCause());
    assertEquals(CallOutcome.SOURCE_FAILED, failure.outcome());
    assertEquals("cannot read from: Input/output error", failure.reason());
    await(() -> files(arriving).isEmpty());
    await(() -> sender.snapshot().buffers().usedBytes() == 0);
    assertFalse(channel.isOpen());
  }

  @Test
  void shouldTellTheSenderAndLeaveNothingAtTheReceiver() throws Exception {
    try (Transport server = Transport.start(SETTINGS);
        Transport client = Transport.start(SETTINGS)) {
      server.serveBulkWrites(
          FILE,
          offer -> CompletableFuture.completedFuture(BulkTarget.file(arriving.resolve("to"))));
      var future =
          client.peer(server.address()).bulkWrite(FILE, source(), TransferOptions.DEFAULTS);
      assertFailed(future, client);
      assertTrue(received(server) > 0, "it failed before anything came");
    }
  }

  private static long received(Transport transport) {
    return transport.snapshot().workers().getFirst().bodies().records().bodyBytesReceived();
  }

  @Test
  void shouldTellWhoReadsFromAPeerAndLeaveNothing() throws Exception {
    try (Transport server = Transport.start(SETTINGS);
        Transport client = Transport.start(SETTINGS)) {
      server.serveBulkReads(FILE, offer -> CompletableFuture.completedFuture(source()));
      var future =
          client
              .peer(server.address())
              .bulkRead(FILE, BulkTarget.file(arriving.resolve("to")), TransferOptions.DEFAULTS);
      assertFailed(future, server);
      assertTrue(received(client) > 0, "it failed before anything came");
    }
  }
}
