package io.millrace.samples.jmh;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A whole small call as a frame. */
@State(Scope.Thread)
public class FrameBench {
  private static final int FRAME_OFFSET = 24;

  /** Bytes of payload. */
  @Param({"32", "1344"})
  public int payloadBytes;

  private final SegmentBuffer packet = new SegmentBuffer(new byte[2048]);
  private final SegmentBuffer payload = new SegmentBuffer(new byte[2048]);
  private final SegmentBuffer received = new SegmentBuffer(new byte[2048]);
  private final FrameHeaderEncoder headerEncoder = new FrameHeaderEncoder();
  private final InlineRequestEncoder encoder = new InlineRequestEncoder();
  private final FrameHeaderDecoder headerDecoder = new FrameHeaderDecoder();
  private final InlineRequestDecoder decoder = new InlineRequestDecoder();
  private long transferId;

  /** Leaves a frame in the packet for {@link #decode}. */
  @Setup(Level.Iteration)
  public void fill() {
    encode();
  }

  /** Writes header and fields and copies the payload in. */
  @Benchmark
  public int encode() {
    encoder
        .wrapAndApplyHeader(packet, FRAME_OFFSET, headerEncoder)
        .transferId(++transferId)
        .route(0x1234_5678_9ABC_DEF0L)
        .priority((short) 3)
        .pattern((short) 0)
        .putHeaders(payload, 0, 0)
        .putPayload(payload, 0, payloadBytes);
    int frameBytes = FrameHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
    headerEncoder.frameLength(frameBytes);
    return frameBytes;
  }

  /** Reads header and fields and copies the payload out. */
  @Benchmark
  public long decode() {
    decoder.wrapAndApplyHeader(packet, FRAME_OFFSET, headerDecoder);
    long sum = headerDecoder.frameLength() + decoder.transferId() + decoder.route();
    sum += decoder.priority() + decoder.pattern() + decoder.skipHeaders();
    return sum + decoder.getPayload(received, 0, payloadBytes);
  }
}
