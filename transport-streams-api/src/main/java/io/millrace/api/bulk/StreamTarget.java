package io.millrace.api.bulk;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import org.apache.pekko.util.ByteString;

/** Puts the bytes of a transfer into a queue that a stream reads. */
final class StreamTarget implements BodyTarget {
  private final ChunkQueue queue;
  private final Runnable onEnded;

  /**
   * Creates a target; {@code onEnded}, on the transfer's thread, tells the stream that no more
   * bytes follow.
   */
  StreamTarget(ChunkQueue queue, Runnable onEnded) {
    this.queue = queue;
    this.onEnded = onEnded;
  }

  @Override
  public void start(Runnable resume) {
    queue.onWakeProducer(resume);
  }

  @Override
  public boolean isReady() {
    return queue.hasRoomOrWaits();
  }

  @Override
  public boolean isCancelled() {
    return queue.isCancelled();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (queue.isCancelled()) {
      throw cancelled();
    }
    if (length > 0) {
      queue.offer(ByteString.fromArray(bytes, offset, length));
    }
  }

  @Override
  public void complete() throws IOException {
    if (queue.isCancelled() && !queue.isEmpty()) {
      throw cancelled();
    }
    queue.end(null);
    onEnded.run();
  }

  @Override
  public void abort(Throwable cause) {
    queue.end(cause);
    onEnded.run();
  }

  private static CancelledException cancelled() {
    return new CancelledException("the stream that takes the bytes was cancelled");
  }
}
