package io.millrace.handshake.psk;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.HmacSha256;
import io.millrace.crypto.OneShotAead;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.PskDoneEncoder;
import io.millrace.wire.codec.PskFinishEncoder;
import io.millrace.wire.codec.PskInitEncoder;
import io.millrace.wire.codec.PskRejectEncoder;
import io.millrace.wire.codec.PskReplyEncoder;
import io.millrace.wire.codec.RejectReason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes the datagrams of the exchange. Stateless; allocates. */
final class PskEncoder {
  /** The longest advert that fits Reply, the longer of the two datagrams with an advert. */
  static final int MAX_ADVERT =
      PskDatagram.MAX_LENGTH
          - PskDatagram.BLOCK_OFFSET
          - PskReplyEncoder.BLOCK_LENGTH
          - PskDatagram.LENGTH_PREFIX
          - OneShotAead.OVERHEAD;

  /** Bytes of Reject. */
  static final int REJECT_LENGTH = PskDatagram.BLOCK_OFFSET + PskRejectEncoder.BLOCK_LENGTH;

  private PskEncoder() {}

  static byte[] init(HmacSha256 mac, int protocolVersion, long incarnation, Nonce nonce) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[PskDatagram.INIT_LENGTH]);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskInitEncoder encoder =
        new PskInitEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    complete(buffer, header);
    int padding =
        buffer.capacity()
            - PskDatagram.BLOCK_OFFSET
            - PskInitEncoder.BLOCK_LENGTH
            - PskDatagram.LENGTH_PREFIX;
    encoder
        .protocolVersion(protocolVersion)
        .incarnation(incarnation)
        .putInitiatorNonce(nonce.bytes(), 0, Nonce.LENGTH)
        .putPadding(new byte[padding], 0, padding)
        .putMac(mac.tag(buffer.byteArray()), 0, HmacSha256.LENGTH);
    return buffer.byteArray();
  }

  static byte[] reply(
      AeadKey key, int protocolVersion, long incarnation, Nonce[] nonces, byte[] advert) {
    SegmentBuffer buffer = withAdvert(PskReplyEncoder.BLOCK_LENGTH, advert);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskReplyEncoder encoder =
        new PskReplyEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    complete(buffer, header);
    encoder
        .protocolVersion(protocolVersion)
        .incarnation(incarnation)
        .putInitiatorNonce(nonces[0].bytes(), 0, Nonce.LENGTH)
        .putResponderNonce(nonces[1].bytes(), 0, Nonce.LENGTH);
    byte[] sealed = sealed(key, buffer, encoder.limit(), advert);
    encoder.putSealedAdvert(sealed, 0, sealed.length);
    return buffer.byteArray();
  }

  static byte[] finish(AeadKey key, Nonce initiatorNonce, Nonce responderNonce, byte[] advert) {
    SegmentBuffer buffer = withAdvert(PskFinishEncoder.BLOCK_LENGTH, advert);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskFinishEncoder encoder =
        new PskFinishEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    complete(buffer, header);
    encoder
        .putInitiatorNonce(initiatorNonce.bytes(), 0, Nonce.LENGTH)
        .putResponderNonce(responderNonce.bytes(), 0, Nonce.LENGTH);
    byte[] sealed = sealed(key, buffer, encoder.limit(), advert);
    encoder.putSealedAdvert(sealed, 0, sealed.length);
    return buffer.byteArray();
  }

  static byte[] done(HmacSha256 mac, Nonce initiatorNonce, Nonce responderNonce) {
    SegmentBuffer buffer =
        new SegmentBuffer(new byte[PskDatagram.BLOCK_OFFSET + PskDoneEncoder.BLOCK_LENGTH]);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskDoneEncoder encoder =
        new PskDoneEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    complete(buffer, header);
    encoder
        .putInitiatorNonce(initiatorNonce.bytes(), 0, Nonce.LENGTH)
        .putResponderNonce(responderNonce.bytes(), 0, Nonce.LENGTH);
    int macOffset = PskDatagram.BLOCK_OFFSET + PskDoneEncoder.macEncodingOffset();
    encoder.putMac(mac.tag(before(buffer, macOffset)), 0, HmacSha256.LENGTH);
    return buffer.byteArray();
  }

  /** A refusal; without a MAC the refusal is a hint that nobody vouches for. */
  static byte[] reject(
      @Nullable HmacSha256 mac, int protocolVersion, RejectReason reason, Nonce initiatorNonce) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[REJECT_LENGTH]);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    PskRejectEncoder encoder =
        new PskRejectEncoder().wrapAndApplyHeader(buffer, PskDatagram.ENVELOPE, header);
    complete(buffer, header);
    encoder
        .protocolVersion(protocolVersion)
        .reason(reason)
        .putInitiatorNonce(initiatorNonce.bytes(), 0, Nonce.LENGTH);
    if (mac != null) {
      int macOffset = PskDatagram.BLOCK_OFFSET + PskRejectEncoder.macEncodingOffset();
      encoder.putMac(mac.tag(before(buffer, macOffset)), 0, HmacSha256.LENGTH);
    }
    return buffer.byteArray();
  }

  private static SegmentBuffer withAdvert(int blockLength, byte[] advert) {
    return new SegmentBuffer(
        new byte
            [PskDatagram.BLOCK_OFFSET
                + blockLength
                + PskDatagram.LENGTH_PREFIX
                + advert.length
                + OneShotAead.OVERHEAD]);
  }

  private static void complete(SegmentBuffer buffer, FrameHeaderEncoder header) {
    buffer.putByte(0, PacketHeader.FORM_HANDSHAKE);
    buffer.putByte(1, (byte) PskDatagram.VERSION);
    header.frameLength(buffer.capacity() - PskDatagram.ENVELOPE).reserved((short) 0);
  }

  private static byte[] sealed(AeadKey key, SegmentBuffer buffer, int offset, byte[] advert) {
    return OneShotAead.seal(key, before(buffer, offset), advert);
  }

  private static byte[] before(SegmentBuffer buffer, int offset) {
    return Arrays.copyOf(buffer.byteArray(), offset);
  }
}
