package io.millrace.handshake.psk;

import io.millrace.handshake.ProviderCard;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.PskDoneDecoder;
import io.millrace.wire.codec.PskFinishDecoder;
import io.millrace.wire.codec.PskInitDecoder;
import io.millrace.wire.codec.PskRejectDecoder;
import io.millrace.wire.codec.PskReplyDecoder;
import io.millrace.wire.codec.RejectReason;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * A flyweight over a received datagram: two bytes of envelope (form and version of the handshake),
 * then one frame that fills the rest exactly. Lengths are checked once, in {@link #wrap}; the
 * accessors are for the kinds that have the field. The bytes stay the receiver's.
 */
final class PskDatagram {
  /** Version of these messages, the second byte of each datagram. */
  static final int VERSION = 1;

  /** The longest datagram. */
  static final int MAX_LENGTH = 1_200;

  /** The length of Init: as long as the longest answer, so that a forged source gains nothing. */
  static final int INIT_LENGTH = MAX_LENGTH;

  /** Bytes before the frame. */
  static final int ENVELOPE = 2;

  /** Bytes before the fields of a message. */
  static final int BLOCK_OFFSET = ENVELOPE + FrameHeaderDecoder.ENCODED_LENGTH;

  /** Bytes of the length before a field of variable length. */
  static final int LENGTH_PREFIX = 2;

  /** The kind of a datagram. */
  enum Kind {
    INIT,
    REPLY,
    FINISH,
    DONE,
    REJECT,
    /** A handshake in another version; nothing but {@link #version()} can be read. */
    OTHER_VERSION,
    MALFORMED
  }

  private final SegmentBuffer bytes = new SegmentBuffer(0, 0);
  private final FrameHeaderDecoder header = new FrameHeaderDecoder();
  private Kind kind = Kind.MALFORMED;
  private int blockLength;

  /** Takes a datagram in view and returns its kind. Never throws. */
  Kind wrap(DirectBuffer buffer, int offset, int length) {
    kind = Kind.MALFORMED;
    if (length < ENVELOPE
        || length > MAX_LENGTH
        || buffer.getByte(offset) != PacketHeader.FORM_HANDSHAKE) {
      return kind;
    }
    bytes.wrap(buffer, offset, length);
    if (version() != VERSION) {
      kind = Kind.OTHER_VERSION;
    } else if (length >= BLOCK_OFFSET && hasSoundHeader()) {
      kind = kindOfFrame();
    }
    return kind;
  }

  private boolean hasSoundHeader() {
    header.wrap(bytes, ENVELOPE);
    blockLength = header.blockLength();
    return header.frameLength() == length() - ENVELOPE
        && header.schemaId() == FrameHeaderDecoder.SCHEMA_ID
        && header.version() == FrameHeaderDecoder.SCHEMA_VERSION
        && blockLength <= length() - BLOCK_OFFSET;
  }

  private Kind kindOfFrame() {
    boolean sound;
    Kind named;
    switch (header.templateId()) {
      case PskInitDecoder.TEMPLATE_ID -> {
        named = Kind.INIT;
        sound = hasOneVariable(PskInitDecoder.BLOCK_LENGTH) && length() >= INIT_LENGTH;
      }
      case PskReplyDecoder.TEMPLATE_ID -> {
        named = Kind.REPLY;
        sound = hasOneVariable(PskReplyDecoder.BLOCK_LENGTH);
      }
      case PskFinishDecoder.TEMPLATE_ID -> {
        named = Kind.FINISH;
        sound = hasOneVariable(PskFinishDecoder.BLOCK_LENGTH);
      }
      case PskDoneDecoder.TEMPLATE_ID -> {
        named = Kind.DONE;
        sound = hasNoVariable(PskDoneDecoder.BLOCK_LENGTH);
      }
      case PskRejectDecoder.TEMPLATE_ID -> {
        named = Kind.REJECT;
        sound = hasNoVariable(PskRejectDecoder.BLOCK_LENGTH);
      }
      default -> {
        return Kind.MALFORMED;
      }
    }
    return sound ? named : Kind.MALFORMED;
  }

  private boolean hasNoVariable(int expected) {
    return blockLength == expected && length() == BLOCK_OFFSET + expected;
  }

  private boolean hasOneVariable(int expected) {
    int variable = BLOCK_OFFSET + expected;
    return blockLength == expected
        && length() >= variable + LENGTH_PREFIX
        && length() == variable + LENGTH_PREFIX + variableLength(variable);
  }

  private int variableLength(int offset) {
    return Short.toUnsignedInt(bytes.getShort(offset, FrameHeaderDecoder.BYTE_ORDER));
  }

  /** The kind of the datagram in view. */
  Kind kind() {
    return kind;
  }

  /** Bytes of the datagram. */
  int length() {
    return bytes.capacity();
  }

  /** Version of the handshake. */
  int version() {
    return Byte.toUnsignedInt(bytes.getByte(1));
  }

  /** The provider of the sender, of a datagram in {@link ProviderCard#VERSION}. */
  String provider() {
    return ProviderCard.named(bytes.getByte(2));
  }

  /** Of Init, Reply and Reject. */
  int protocolVersion() {
    int at =
        switch (kind) {
          case INIT -> PskInitDecoder.protocolVersionEncodingOffset();
          case REPLY -> PskReplyDecoder.protocolVersionEncodingOffset();
          case REJECT -> PskRejectDecoder.protocolVersionEncodingOffset();
          default -> throw without("protocol version");
        };
    return Short.toUnsignedInt(bytes.getShort(BLOCK_OFFSET + at, FrameHeaderDecoder.BYTE_ORDER));
  }

  /** Of Init and Reply: the sender's. */
  long incarnation() {
    int at =
        switch (kind) {
          case INIT -> PskInitDecoder.incarnationEncodingOffset();
          case REPLY -> PskReplyDecoder.incarnationEncodingOffset();
          default -> throw without("incarnation");
        };
    return bytes.getLong(BLOCK_OFFSET + at, FrameHeaderDecoder.BYTE_ORDER);
  }

  /** Of every kind. */
  Nonce initiatorNonce() {
    int at =
        switch (kind) {
          case INIT -> PskInitDecoder.initiatorNonceEncodingOffset();
          case REPLY -> PskReplyDecoder.initiatorNonceEncodingOffset();
          case FINISH -> PskFinishDecoder.initiatorNonceEncodingOffset();
          case DONE -> PskDoneDecoder.initiatorNonceEncodingOffset();
          case REJECT -> PskRejectDecoder.initiatorNonceEncodingOffset();
          default -> throw without("nonce");
        };
    return Nonce.read(bytes, BLOCK_OFFSET + at);
  }

  /** Of Reply, Finish and Done. */
  Nonce responderNonce() {
    int at =
        switch (kind) {
          case REPLY -> PskReplyDecoder.responderNonceEncodingOffset();
          case FINISH -> PskFinishDecoder.responderNonceEncodingOffset();
          case DONE -> PskDoneDecoder.responderNonceEncodingOffset();
          default -> throw without("responder's nonce");
        };
    return Nonce.read(bytes, BLOCK_OFFSET + at);
  }

  /** Of Reject: why, or NULL_VAL if the number means nothing to this release. */
  RejectReason reason() {
    if (kind != Kind.REJECT) {
      throw without("reason");
    }
    int value = bytes.getByte(BLOCK_OFFSET + PskRejectDecoder.reasonEncodingOffset());
    return value >= 0 && value <= RejectReason.NOT_AUTHORISED.value()
        ? RejectReason.get((short) value)
        : RejectReason.NULL_VAL;
  }

  /** Of Init, Done and Reject. */
  byte[] mac() {
    return copy(BLOCK_OFFSET + macOffset(), Nonce.LENGTH);
  }

  /**
   * The bytes that the MAC covers: all before the MAC and, in Init, the MAC's own bytes as zeros
   * and all behind.
   */
  byte[] authenticated() {
    int mac = BLOCK_OFFSET + macOffset();
    byte[] covered = copy(0, kind == Kind.INIT ? length() : mac);
    if (kind == Kind.INIT) {
      Arrays.fill(covered, mac, mac + Nonce.LENGTH, (byte) 0);
    }
    return covered;
  }

  private int macOffset() {
    return switch (kind) {
      case INIT -> PskInitDecoder.macEncodingOffset();
      case DONE -> PskDoneDecoder.macEncodingOffset();
      case REJECT -> PskRejectDecoder.macEncodingOffset();
      default -> throw without("MAC");
    };
  }

  /** Of Reply and Finish: the advert as it was sealed. */
  byte[] sealedAdvert() {
    int from = variableOffset() + LENGTH_PREFIX;
    return copy(from, length() - from);
  }

  /** Of Reply and Finish: the bytes authenticated together with the advert. */
  byte[] additionalData() {
    return copy(0, variableOffset());
  }

  private int variableOffset() {
    return BLOCK_OFFSET
        + switch (kind) {
          case REPLY -> PskReplyDecoder.BLOCK_LENGTH;
          case FINISH -> PskFinishDecoder.BLOCK_LENGTH;
          default -> throw without("advert");
        };
  }

  /** The whole datagram. */
  byte[] copy() {
    return copy(0, length());
  }

  private byte[] copy(int offset, int length) {
    byte[] copy = new byte[length];
    bytes.getBytes(offset, copy);
    return copy;
  }

  private IllegalStateException without(String field) {
    return new IllegalStateException(kind + " has no " + field);
  }
}
