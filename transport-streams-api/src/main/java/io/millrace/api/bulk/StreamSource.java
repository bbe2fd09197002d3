package io.millrace.api.bulk;

import io.millrace.ends.FailureText;
import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/** Reads the chunks that a stream has put into a queue. */
final class StreamSource implements BodySource {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ChunkQueue queue;
  private final long lengthBytes;
  private final Runnable onClosed;
  private ByteBuffer current = NONE;
  private long readBytes;

  /**
   * Creates a source; {@code onClosed}, on the closing thread, tells the stream that the source
   * reads no more.
   */
  StreamSource(ChunkQueue queue, long lengthBytes, Runnable onClosed) {
    this.queue = queue;
    this.lengthBytes = lengthBytes;
    this.onClosed = onClosed;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public void start(Runnable resume) {
    queue.onWakeConsumer(resume);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    throwFailure();
    int count = 0;
    while (count < length && (current.hasRemaining() || next(count == 0))) {
      int part = Math.min(length - count, current.remaining());
      current.get(into, offset + count, part);
      count += part;
    }
    readBytes += count;
    if (lengthBytes != UNKNOWN_LENGTH && readBytes > lengthBytes) {
      throw new IOException("the stream has more than the announced " + lengthBytes + " bytes");
    }
    return count == 0 && queue.isDrained() ? end() : count;
  }

  private boolean next(boolean isWaiting) {
    ByteString chunk = isWaiting ? queue.pollOrWait() : queue.poll();
    current = chunk == null ? NONE : chunk.asByteBuffer();
    return chunk != null;
  }

  private int end() throws IOException {
    throwFailure();
    if (lengthBytes != UNKNOWN_LENGTH && readBytes < lengthBytes) {
      throw new IOException(
          "the stream ended after " + readBytes + " of the announced " + lengthBytes + " bytes");
    }
    return -1;
  }

  private void throwFailure() throws IOException {
    @Nullable Throwable failure = queue.failure();
    if (failure != null) {
      throw new IOException("the stream failed: " + FailureText.of(failure), failure);
    }
  }

  @Override
  public void close() {
    current = NONE;
    queue.cancel();
    onClosed.run();
  }
}
