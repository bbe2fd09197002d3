package io.millrace.samples.bench.millrace;

import io.millrace.api.Transport;
import io.millrace.samples.bench.peer.BulkTally;
import io.millrace.transfer.BodyTarget;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.agrona.MutableDirectBuffer;

/**
 * Counts bulk transfers one after another and reports the last transfer. Runs on the duty thread.
 */
final class BulkCounter {
  static final int ANSWER_BYTES = 2 * Long.BYTES;

  private final byte[] answer = new byte[ANSWER_BYTES];
  private boolean begun;

  void serve(Transport transport) {
    transport.serveBulkWrites(
        MillraceNode.BULK, offer -> CompletableFuture.completedFuture(new Counting(false)));
    transport.serveBulkWrites(
        MillraceNode.VERIFIED_BULK, offer -> CompletableFuture.completedFuture(new Counting(true)));
    transport.serveOnWorker(
        MillraceNode.BULK_COUNT,
        call -> {
          MutableDirectBuffer reply = call.reply(0, ANSWER_BYTES);
          reply.putBytes(0, answer);
        });
  }

  /** Whether a transfer was ever asked for. */
  boolean hasBegun() {
    return begun;
  }

  private final class Counting implements BodyTarget {
    private final BulkTally tally;

    Counting(boolean verifying) {
      tally = new BulkTally(verifying);
      begun = true;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      tally.onBytes(bytes, offset, length);
    }

    @Override
    public void complete() {
      ByteBuffer.wrap(answer).putLong(tally.bytes()).putLong(tally.checksum());
    }

    @Override
    public void abort(Throwable cause) {
      System.err.println("bulk: " + cause.getMessage());
    }
  }
}
