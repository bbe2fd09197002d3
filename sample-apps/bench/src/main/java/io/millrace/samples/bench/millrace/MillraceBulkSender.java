package io.millrace.samples.bench.millrace;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Sends the blocks of a loop as a single bulk write of unknown length. Duty thread. */
final class MillraceBulkSender implements BodySource {
  private final Peer peer;
  private final BulkLoop loop;
  private final LentBytes lent = new LentBytes();
  private byte[] block = {};
  private int sent;

  MillraceBulkSender(Peer peer, BulkLoop loop) {
    this.peer = peer;
    this.loop = loop;
  }

  /** Begins the transfer; after the transfer the sender asks the receiver for the counts. */
  void start() {
    CompletableFuture<ByteString> counted =
        peer.bulkWrite(
                loop.isVerifying() ? MillraceNode.VERIFIED_BULK : MillraceNode.BULK,
                this,
                TransferOptions.DEFAULTS)
            .thenCompose(this::count);
    var _ = counted.whenComplete(this::onCounted);
  }

  @Override
  public long lengthBytes() {
    return UNKNOWN_LENGTH;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    LentBytes part = lend(length);
    if (part == null) {
      return -1;
    }
    System.arraycopy(part.array(), part.offset(), into, offset, part.length());
    return part.length();
  }

  @Override
  public @Nullable LentBytes lend(int most) {
    if (sent == block.length) {
      if (!loop.canSend()) {
        return null;
      }
      block = loop.next();
      sent = 0;
    }
    int part = Math.min(most, block.length - sent);
    lent.set(block, sent, part);
    sent += part;
    return lent;
  }

  @Override
  public void close() {
    // the block is the loop's
  }

  private CompletableFuture<ByteString> count(BulkReceipt receipt) {
    return peer.unary(MillraceNode.BULK_COUNT, ByteString.emptyByteString());
  }

  private void onCounted(@Nullable ByteString response, @Nullable Throwable failure) {
    if (response == null) {
      loop.onFailure(String.valueOf(failure));
      return;
    }
    ByteBuffer counted = response.asByteBuffer();
    loop.onDelivered(counted.getLong(), counted.getLong());
  }
}
