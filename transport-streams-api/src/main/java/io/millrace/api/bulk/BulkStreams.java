package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * Streams of bytes at the ends of bulk transfers. Each materialized value serves one transfer;
 * demand reaches from one end of the transfer to the other end. Buffers are bounded in bytes; a
 * buffer holds at most one element beyond its bound, and an element counts 1 KiB at least.
 */
public final class BulkStreams {
  /** The default capacity of a buffer, in bytes. */
  public static final int DEFAULT_BUFFER_BYTES = 256 * 1024;

  private BulkStreams() {}

  /** Returns a sink of unknown length with the default buffer; see {@link #sink(long, int)}. */
  public static Sink<ByteString, BodySource> sink() {
    return sink(BodySource.UNKNOWN_LENGTH, DEFAULT_BUFFER_BYTES);
  }

  /**
   * Returns a sink of elements for a transfer to send. If the stream fails, the transfer fails,
   * too; if the transfer ends first, the sink cancels the stream with {@link CancelledException}.
   *
   * @param lengthBytes bytes in all, or {@link BodySource#UNKNOWN_LENGTH}; a stream with more or
   *     fewer bytes fails the transfer
   * @param bufferBytes the number of bytes that may wait for the transfer, 1 KiB at least
   */
  public static Sink<ByteString, BodySource> sink(long lengthBytes, int bufferBytes) {
    return Sink.fromGraph(new BodySourceStage(lengthBytes, bufferBytes));
  }

  /** Returns a source with the default buffer; see {@link #source(int)}. */
  public static Source<ByteString, BodyTarget> source() {
    return source(DEFAULT_BUFFER_BYTES);
  }

  /**
   * Returns a source of the bytes that a transfer receives, in order. The source fails when the
   * transfer fails, at once and without the bytes still in the buffer. The bytes are therefore a
   * whole transfer only after the stream has completed. The cancellation of the source ends the
   * transfer with {@link CancelledException}. The transfer is complete when all bytes are in the
   * buffer, even if the stream has not yet taken the bytes.
   *
   * @param bufferBytes the number of bytes that may wait for demand, 1 KiB at least
   */
  public static Source<ByteString, BodyTarget> source(int bufferBytes) {
    return Source.fromGraph(new BodyTargetStage(bufferBytes));
  }
}
