package io.millrace.handshake;

import io.millrace.crypto.kem.KeyEncapsulation;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.HybridAdvertDecoder;
import io.millrace.wire.codec.HybridAdvertEncoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The frame HybridAdvert: an advert and one side's half of the key exchange by ML-KEM-768. Decoding
 * looks at no byte beyond the end and never throws. Immutable, any thread.
 *
 * @param share the encapsulation key, or the ciphertext
 * @param advert the frame of the advert
 */
public record HybridAdvertFrame(byte[] share, byte[] advert) {
  private static final int LENGTH_PREFIX = 2;
  private static final int START =
      FrameHeaderDecoder.ENCODED_LENGTH + HybridAdvertDecoder.BLOCK_LENGTH;

  /** The bytes beyond the bytes of the advert. */
  static final int OVERHEAD = START + 2 * LENGTH_PREFIX + KeyEncapsulation.PUBLIC_KEY_BYTES;

  /** The bytes of the frame. */
  public static byte[] encode(byte[] share, byte[] advert) {
    byte[] bytes = new byte[START + 2 * LENGTH_PREFIX + share.length + advert.length];
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    HybridAdvertEncoder encoder =
        new HybridAdvertEncoder().wrapAndApplyHeader(new SegmentBuffer(bytes), 0, header);
    header.frameLength(bytes.length).reserved((short) 0);
    encoder.putShare(share, 0, share.length).putAdvert(advert, 0, advert.length);
    return bytes;
  }

  /** The frame, or null if the bytes are not exactly one. */
  static @Nullable HybridAdvertFrame decode(byte[] bytes) {
    if (bytes.length < START) {
      return null;
    }
    FrameHeaderDecoder header = new FrameHeaderDecoder().wrap(new SegmentBuffer(bytes), 0);
    int blockEnd = FrameHeaderDecoder.ENCODED_LENGTH + header.blockLength();
    if (header.templateId() != HybridAdvertDecoder.TEMPLATE_ID
        || header.schemaId() != HybridAdvertDecoder.SCHEMA_ID
        || header.version() != HybridAdvertDecoder.SCHEMA_VERSION
        || header.frameLength() != bytes.length
        || blockEnd > bytes.length) {
      return null;
    }
    ByteBuffer rest =
        ByteBuffer.wrap(bytes).position(blockEnd).order(HybridAdvertDecoder.BYTE_ORDER);
    byte[] share = prefixed(rest);
    byte[] advert = prefixed(rest);
    return share == null || advert == null || rest.hasRemaining()
        ? null
        : new HybridAdvertFrame(share, advert);
  }

  private static byte @Nullable [] prefixed(ByteBuffer rest) {
    if (rest.remaining() < LENGTH_PREFIX) {
      return null;
    }
    int length = Short.toUnsignedInt(rest.getShort());
    if (length > rest.remaining()) {
      return null;
    }
    byte[] bytes = new byte[length];
    rest.get(bytes);
    return bytes;
  }
}
