package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Streams of bytes at the ends of bulk transfers. What materializes serves one transfer; demand
 * reaches from one end of the transfer to the other. Buffers are bounded in bytes; each holds one
 * element more than its bound at most, and an element counts 1 KiB at least.
 */
public final class BulkStreams {
  /** What a buffer holds unless told otherwise. */
  public static final int DEFAULT_BUFFER_BYTES = 256 * 1024;

  private BulkStreams() {}

  /** A sink of unknown length with the default buffer; see {@link #sink(long, int)}. */
  public static Sink<ByteString, BodySource> sink() {
    return sink(BodySource.UNKNOWN_LENGTH, DEFAULT_BUFFER_BYTES);
  }

  /**
   * A sink whose elements a transfer sends. If the stream fails, the transfer fails with it; if the
   * transfer ends first, the stream is cancelled with {@link CancelledException}.
   *
   * @param lengthBytes bytes in all, or {@link BodySource#UNKNOWN_LENGTH}; a stream that has more
   *     or fewer fails the transfer
   * @param bufferBytes bytes that may wait to be sent, 1 KiB at least
   */
  public static Sink<ByteString, BodySource> sink(long lengthBytes, int bufferBytes) {
    return Sink.fromGraph(new BodySourceStage(lengthBytes, bufferBytes));
  }

  /** A source with the default buffer; see {@link #source(int)}. */
  public static Source<ByteString, BodyTarget> source() {
    return source(DEFAULT_BUFFER_BYTES);
  }

  /**
   * A source of the bytes that a transfer receives, in order. It fails when the transfer fails, at
   * once and without the bytes that still wait, so bytes seen are a whole transfer only after the
   * stream has completed. Cancelling it ends the transfer with {@link CancelledException}. The
   * transfer is complete when its bytes are in the buffer, not when the stream has taken them.
   *
   * @param bufferBytes bytes that may wait for demand, 1 KiB at least
   */
  public static Source<ByteString, BodyTarget> source(int bufferBytes) {
    return Source.fromGraph(new BodyTargetStage(bufferBytes));
  }
}
