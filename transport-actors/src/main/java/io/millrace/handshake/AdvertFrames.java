package io.millrace.handshake;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PeerText;
import io.millrace.wire.codec.AdvertDecoder;
import io.millrace.wire.codec.AdvertRejectDecoder;
import io.millrace.wire.codec.AdvertRejectEncoder;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.HybridAdvertDecoder;
import io.millrace.wire.codec.RejectReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames of the handshake: an advert, or the refusal of an advert. The
 * cutter keeps a single frame at most, and no frame longer than an advert may be. Not thread-safe.
 */
public final class AdvertFrames {
  /** The longest advert, bytes. */
  public static final int MAX_ADVERT_BYTES = 16 << 10;

  /** The longest frame of a handshake, bytes: an advert with a half of the key exchange. */
  public static final int MAX_FRAME_BYTES = MAX_ADVERT_BYTES + HybridAdvertFrame.OVERHEAD;

  private static final int HEADER = FrameHeaderDecoder.ENCODED_LENGTH;
  private static final int LENGTH_PREFIX = 2;
  private static final int MAX_TEXT_BYTES = 1_024;

  private final byte[] header = new byte[HEADER];
  private byte @Nullable [] frame;
  private int received;
  private boolean malformed;

  /** Nothing received yet. */
  public AdvertFrames() {}

  /**
   * A copy of an advert to send.
   *
   * @throws IllegalArgumentException if the advert is longer than {@code most} bytes
   */
  public static byte[] copyOf(byte[] advert, int most) {
    if (advert.length > most) {
      throw new IllegalArgumentException(
          "an advert of " + advert.length + " bytes is over " + most);
    }
    return advert.clone();
  }

  /** Why an advert was refused. */
  public record Reject(RejectReason reason, String text) {}

  /**
   * Takes bytes until a frame is whole, or until the bytes are clearly no frame.
   *
   * @return the frame, or null if bytes are missing, or the bytes are no frame
   */
  public byte @Nullable [] take(ByteBuffer bytes) {
    while (bytes.hasRemaining() && !malformed) {
      byte[] target = frame == null ? header : frame;
      int count = Math.min(bytes.remaining(), target.length - received);
      bytes.get(target, received, count);
      received += count;
      if (received == target.length) {
        if (frame != null) {
          byte[] whole = frame;
          frame = null;
          received = 0;
          return whole;
        }
        begin();
      }
    }
    return null;
  }

  private void begin() {
    FrameHeaderDecoder decoder = new FrameHeaderDecoder().wrap(new SegmentBuffer(header), 0);
    int length = decoder.frameLength();
    malformed =
        length <= HEADER
            || length > longest(decoder.templateId())
            || decoder.schemaId() != FrameHeaderDecoder.SCHEMA_ID;
    if (!malformed) {
      frame = Arrays.copyOf(header, length);
    }
  }

  /** The longest frame of this kind; 0 for a kind outside the handshake. */
  private static int longest(int templateId) {
    return switch (templateId) {
      case AdvertDecoder.TEMPLATE_ID, AdvertRejectDecoder.TEMPLATE_ID -> MAX_ADVERT_BYTES;
      case HybridAdvertDecoder.TEMPLATE_ID -> MAX_FRAME_BYTES;
      default -> 0;
    };
  }

  /** Whether the received bytes are no frame of the handshake: nothing more is taken. */
  public boolean isMalformed() {
    return malformed;
  }

  /** The frame of a refusal; a long text is cut. */
  static byte[] encode(Reject reject) {
    byte[] all = reject.text().getBytes(StandardCharsets.UTF_8);
    byte[] text = Arrays.copyOf(all, Math.min(all.length, MAX_TEXT_BYTES));
    byte[] bytes =
        new byte[HEADER + AdvertRejectEncoder.BLOCK_LENGTH + LENGTH_PREFIX + text.length];
    FrameHeaderEncoder head = new FrameHeaderEncoder();
    AdvertRejectEncoder encoder =
        new AdvertRejectEncoder().wrapAndApplyHeader(new SegmentBuffer(bytes), 0, head);
    head.frameLength(bytes.length).reserved((short) 0);
    encoder.reason(reject.reason()).putText(text, 0, text.length);
    return bytes;
  }

  /** The refusal in a frame, or null for another frame. Never throws. */
  static @Nullable Reject decodeReject(byte[] bytes) {
    int text = HEADER + AdvertRejectDecoder.BLOCK_LENGTH + LENGTH_PREFIX;
    if (bytes.length < text) {
      return null;
    }
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    FrameHeaderDecoder head = new FrameHeaderDecoder().wrap(buffer, 0);
    int length =
        Short.toUnsignedInt(buffer.getShort(text - LENGTH_PREFIX, FrameHeaderDecoder.BYTE_ORDER));
    if (head.templateId() != AdvertRejectDecoder.TEMPLATE_ID
        || head.frameLength() != bytes.length
        || head.blockLength() != AdvertRejectDecoder.BLOCK_LENGTH
        || length != bytes.length - text) {
      return null;
    }
    int reason = Byte.toUnsignedInt(bytes[HEADER]);
    return new Reject(
        reason <= RejectReason.NOT_AUTHORISED.value()
            ? RejectReason.get((short) reason)
            : RejectReason.NULL_VAL,
        PeerText.of(new String(bytes, text, length, StandardCharsets.UTF_8)));
  }
}
