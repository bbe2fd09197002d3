package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ForwardingSource;
import io.millrace.samples.served.RepeatedBlock;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AbstractHistogram;
import org.jspecify.annotations.Nullable;

/** A slot of bulk writes from memory, with bytes that the receiver samples and counts. */
final class BulkSlot extends LoadSlot {
  private final LoadPlan plan;
  private final Peer peer;
  private final TransferOptions options;
  private final AtomicLong moved = new AtomicLong();

  BulkSlot(
      LoadPlan plan,
      Peer peer,
      LoadWindow window,
      AbstractHistogram latencies,
      CountDownLatch running) {
    super(window, latencies, running);
    this.plan = plan;
    this.peer = peer;
    options = TransferOptions.DEFAULTS.withPriority(plan.priority());
  }

  @Override
  void begin() {
    BodySource source = new Moving(RepeatedBlock.source(plan.sizeBytes()));
    CompletableFuture<BulkReceipt> future = peer.bulkWrite(plan.route(), source, options);
    var _ = future.whenComplete(this::onEnd);
  }

  @Override
  long movedBytes() {
    return moved.getAcquire();
  }

  private void onEnd(@Nullable BulkReceipt receipt, @Nullable Throwable failure) {
    if (receipt != null) {
      onAnswer(receipt.bytes() == plan.sizeBytes());
    } else {
      onFailure(failure == null ? "no receipt" : Sentence.of(failure));
    }
  }

  /**
   * Counts the bytes of the transfer under way; transfers come one at a time, so there is a single
   * writer.
   */
  private final class Moving extends ForwardingSource {
    Moving(BodySource source) {
      super(source);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      if (read > 0) {
        moved.setRelease(moved.getPlain() + read);
      }
      return read;
    }

    @Override
    public @Nullable LentBytes lend(int most) throws IOException {
      LentBytes lent = super.lend(most);
      if (lent != null) {
        moved.setRelease(moved.getPlain() + lent.length());
      }
      return lent;
    }
  }
}
