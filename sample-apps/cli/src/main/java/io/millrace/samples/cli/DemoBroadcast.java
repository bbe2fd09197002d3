package io.millrace.samples.cli;

import io.millrace.api.Broadcast;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot.Buffers;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.file.FirstBytes;
import io.millrace.samples.file.Sha256;
import io.millrace.samples.served.ServedFiles;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.util.ByteString;

/**
 * Sends the demo's file to several nodes in one call. Each node writes the file to its disk and
 * tells the digest of its copy. This node's counters must show that the file was sealed once for
 * all nodes.
 */
final class DemoBroadcast {
  private static final Headers HEADERS = ServedFiles.named(DemoPeers.COPY);
  private static final int RECORD_BYTES = 1 << 16;
  private static final long ANSWER_SECONDS = 30;

  private final Transport node;
  private final List<Peer> peers;
  private final Progress progress;

  DemoBroadcast(Transport node, List<Peer> peers, Progress progress) {
    this.node = node;
    this.peers = peers;
    this.progress = progress;
  }

  /**
   * Sends as much of the file as a node can hold at once, for most files the whole file.
   *
   * @param mostBytes the largest payload for several peers, with its headers
   * @throws CommandException if a byte is wrong at a node, or a record was sealed twice
   */
  BroadcastFile run(RecordFile file, long mostBytes)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    long bytes = Math.max(0, Math.min(file.bytes(), mostBytes - HEADERS.encodedBytes()));
    for (Peer peer : peers) {
      peer.connect().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
    Buffers before = node.snapshot().buffers();
    long startNs = System.nanoTime();
    progress.show(
        "broadcast of " + Figures.bytes(bytes) + " to " + peers.size() + " peers", startNs);
    send(file, bytes);
    long elapsedNs = System.nanoTime() - startNs;
    Buffers after = node.snapshot().buffers();
    requireSame(Sha256.of(file.path(), bytes));
    return new BroadcastFile(
        peers.size(),
        bytes,
        bytes == file.bytes(),
        elapsedNs,
        requireSealedOnce(bytes, after.recordsSealed() - before.recordsSealed()),
        after.allocations() - before.allocations());
  }

  private void send(RecordFile file, long bytes)
      throws IOException, InterruptedException, ExecutionException {
    Broadcast broadcast =
        node.broadcast(
            ServedFiles.FILE,
            new FirstBytes(BulkSource.file(file.path()), bytes),
            HEADERS,
            Protection.SEALED,
            peers.stream().map(Destination::of).toList());
    List<DeliveryOutcome> outcomes =
        DemoRun.await(
            broadcast.outcomes(),
            () -> node.snapshot().buffers().broadcastBytes(),
            "the broadcast stalled");
    for (DeliveryOutcome outcome : outcomes) {
      if (!outcome.isDelivered() || outcome.bytes() != bytes) {
        throw CommandException.failed(
            "the broadcast did not reach " + outcome.peer().address() + ": " + outcome.text());
      }
    }
  }

  /** All nodes compute their digests at once, and each must be equal to this digest. */
  private void requireSame(String expected)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<CompletableFuture<String>> digests = new ArrayList<>();
    for (Peer peer : peers) {
      digests.add(
          peer.unary(DemoPeers.DIGEST, ByteString.emptyByteString())
              .thenApply(digest -> HexFormat.of().formatHex(digest.toArrayUnsafe())));
    }
    for (int i = 0; i < digests.size(); i++) {
      if (!digests.get(i).get(ANSWER_SECONDS, TimeUnit.SECONDS).equals(expected)) {
        throw CommandException.failed("the broadcast file differs at " + peers.get(i).address());
      }
    }
  }

  private static long requireSealedOnce(long bytes, long sealed) {
    long expected = (HEADERS.encodedBytes() + bytes + RECORD_BYTES - 1) / RECORD_BYTES;
    if (sealed != expected) {
      throw CommandException.failed(
          "the broadcast cost " + sealed + " sealed records, not " + expected);
    }
    return sealed;
  }
}
