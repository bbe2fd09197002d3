package io.millrace.handshake;

import io.millrace.crypto.AesKeySize;
import io.millrace.driver.EndpointAddress;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PeerText;
import io.millrace.wire.codec.AdvertDecoder;
import io.millrace.wire.codec.AdvertEncoder;
import io.millrace.wire.codec.FrameHeaderDecoder;
import io.millrace.wire.codec.FrameHeaderEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adverts as bytes: each advert is an {@code Advert} frame. Decoding looks at no byte beyond the
 * end, takes nothing that is out of bounds, and never throws. Fields that a later version adds to
 * the block are skipped. Stateless, any thread, allocates.
 */
public final class AdvertCodec {
  private static final int LENGTH_PREFIX = 2;
  private static final int INNER = 2;
  private static final int ONE_SIDED = 4;
  private static final int READS_IMMEDIATES = 8;
  private static final int READS_PIECES = 16;

  /** The shortest block of any version: the block ends ahead of later fields. */
  private static final int LEAST_BLOCK = AdvertDecoder.headersBytesEncodingOffset();

  private AdvertCodec() {}

  /** The frame of an advert, for a handshake that concerns no earlier path. */
  public static byte[] encode(Advert advert) {
    return encode(advert, EarlierPath.NONE);
  }

  /** The frame of an advert. */
  public static byte[] encode(Advert advert, EarlierPath earlier) {
    byte[] identity = advert.identity().getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[encodedLength(advert, identity.length)];
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    FrameHeaderEncoder header = new FrameHeaderEncoder();
    AdvertEncoder encoder = new AdvertEncoder().wrapAndApplyHeader(buffer, 0, header);
    header.frameLength(bytes.length).reserved((short) 0);
    encoder
        .worker((short) advert.worker())
        .incarnation(advert.incarnation())
        .inlineLimit(advert.inlineLimit())
        .concurrentTransfers(advert.concurrentTransfers())
        .maxDatagramBytes(advert.maxDatagramBytes())
        .keyBytes((short) advert.keySize().bytes())
        .headersBytes(advert.headersBytes())
        .creditLifetimeMs(advert.credit().lifetimeMs())
        .queueUs(advert.credit().queueUs())
        .renews(earlier.renews())
        .doubts(earlier.doubts())
        .host(advert.host());
    AdvertEncoder.EndpointsEncoder endpoints = encoder.endpointsCount(advert.endpoints().size());
    for (AdvertisedEndpoint endpoint : advert.endpoints()) {
      byte[] family = endpoint.address().family().getBytes(StandardCharsets.US_ASCII);
      byte[] address = endpoint.address().bytes();
      endpoints
          .next()
          .worker((short) endpoint.worker())
          .nic((short) endpoint.nic().number())
          .flags(flags(endpoint.nic()))
          .prefixBits((short) endpoint.nic().prefixBits())
          .speedMbps(endpoint.nic().speedMbps())
          .putDriver(family, 0, family.length)
          .putAddress(address, 0, address.length);
    }
    encoder.putIdentity(identity, 0, identity.length);
    return bytes;
  }

  private static short flags(AdvertisedNic nic) {
    return (short)
        ((nic.isOneSided() ? ONE_SIDED : 0)
            | (nic.isInner() ? INNER : 0)
            | (nic.readsImmediates() ? READS_IMMEDIATES : 0)
            | (nic.readsPieces() ? READS_PIECES : 0));
  }

  /** The length of an advert's frame, bytes. */
  public static int encodedLength(Advert advert) {
    return encodedLength(advert, advert.identity().getBytes(StandardCharsets.UTF_8).length);
  }

  private static int encodedLength(Advert advert, int identityLength) {
    int length =
        FrameHeaderEncoder.ENCODED_LENGTH
            + AdvertEncoder.BLOCK_LENGTH
            + AdvertEncoder.EndpointsEncoder.HEADER_SIZE
            + LENGTH_PREFIX
            + identityLength;
    for (AdvertisedEndpoint endpoint : advert.endpoints()) {
      length += encodedLength(endpoint);
    }
    return length;
  }

  /** The length of an endpoint within an advert's frame, bytes. */
  public static int encodedLength(AdvertisedEndpoint endpoint) {
    return AdvertEncoder.EndpointsEncoder.sbeBlockLength()
        + LENGTH_PREFIX
        + endpoint.address().family().length()
        + LENGTH_PREFIX
        + endpoint.address().bytes().length;
  }

  /** The advert, or null if the bytes are not exactly one. */
  public static @Nullable Advert decode(byte[] bytes) {
    if (bytes.length < FrameHeaderDecoder.ENCODED_LENGTH + LEAST_BLOCK) {
      return null;
    }
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    FrameHeaderDecoder header = new FrameHeaderDecoder().wrap(buffer, 0);
    if (header.frameLength() != bytes.length
        || header.templateId() != AdvertDecoder.TEMPLATE_ID
        || header.schemaId() != AdvertDecoder.SCHEMA_ID
        || header.version() != AdvertDecoder.SCHEMA_VERSION
        || header.blockLength() < LEAST_BLOCK) {
      return null;
    }
    int blockEnd = FrameHeaderDecoder.ENCODED_LENGTH + header.blockLength();
    if (bytes.length < blockEnd) {
      return null;
    }
    AdvertDecoder decoder = new AdvertDecoder().wrapAndApplyHeader(buffer, 0, header);
    ByteBuffer rest = ByteBuffer.wrap(bytes).position(blockEnd).order(AdvertDecoder.BYTE_ORDER);
    try {
      List<AdvertisedEndpoint> endpoints = endpoints(rest);
      byte @Nullable [] identity = prefixed(rest);
      if (endpoints == null || identity == null || rest.hasRemaining()) {
        return null;
      }
      return new Advert(
          decoder.worker(),
          decoder.incarnation(),
          decoder.inlineLimit(),
          (int) decoder.concurrentTransfers(),
          (int) decoder.maxDatagramBytes(),
          AesKeySize.ofBytes(decoder.keyBytes()),
          headersBytes(decoder, header.blockLength()),
          credit(decoder, header.blockLength()),
          endpoints,
          text(identity),
          host(decoder, header.blockLength()));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return null;
    }
  }

  /** The relation of an advert's handshake to an earlier path; none for a malformed advert. */
  public static EarlierPath earlier(byte[] bytes) {
    if (decode(bytes) == null) {
      return EarlierPath.NONE;
    }
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    FrameHeaderDecoder header = new FrameHeaderDecoder().wrap(buffer, 0);
    AdvertDecoder decoder = new AdvertDecoder().wrapAndApplyHeader(buffer, 0, header);
    int block = header.blockLength();
    return new EarlierPath(
        block < AdvertDecoder.doubtsEncodingOffset() ? 0 : decoder.renews(),
        block < AdvertDecoder.doubtsEncodingOffset() + Long.BYTES ? 0 : decoder.doubts());
  }

  /** For a node that does not know the field yet: the limit of such nodes. */
  private static int headersBytes(AdvertDecoder decoder, int blockLength) {
    return blockLength < AdvertDecoder.creditLifetimeMsEncodingOffset()
        ? Advert.DEFAULT_HEADERS_BYTES
        : (int) Math.min(decoder.headersBytes(), Integer.MAX_VALUE);
  }

  private static long host(AdvertDecoder decoder, int blockLength) {
    return blockLength < AdvertDecoder.hostEncodingOffset() + Long.BYTES
        ? Advert.UNKNOWN_HOST
        : decoder.host();
  }

  private static CreditTerms credit(AdvertDecoder decoder, int blockLength) {
    if (blockLength < AdvertDecoder.queueUsEncodingOffset()) {
      return CreditTerms.ENDLESS;
    }
    long queueUs = blockLength < AdvertDecoder.renewsEncodingOffset() ? 0 : decoder.queueUs();
    return new CreditTerms(
        (int) Math.min(decoder.creditLifetimeMs(), Integer.MAX_VALUE),
        (int) Math.min(queueUs, Integer.MAX_VALUE));
  }

  private static @Nullable List<AdvertisedEndpoint> endpoints(ByteBuffer rest)
      throws CharacterCodingException {
    if (rest.remaining() < AdvertDecoder.EndpointsDecoder.HEADER_SIZE
        || rest.get() != AdvertDecoder.EndpointsDecoder.sbeBlockLength()) {
      return null;
    }
    int count = Byte.toUnsignedInt(rest.get());
    if (count > Advert.MAX_ENDPOINTS) {
      return null;
    }
    List<AdvertisedEndpoint> endpoints = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      if (rest.remaining() < AdvertDecoder.EndpointsDecoder.sbeBlockLength()) {
        return null;
      }
      int worker = Byte.toUnsignedInt(rest.get());
      AdvertisedNic nic = nic(rest);
      byte @Nullable [] family = prefixed(rest);
      byte @Nullable [] address = prefixed(rest);
      if (family == null || address == null) {
        return null;
      }
      String driver = text(family);
      if (!PeerText.isClean(driver)) {
        return null;
      }
      EndpointAddress place = new EndpointAddress(driver, address);
      endpoints.add(new AdvertisedEndpoint(worker, nic, place));
    }
    return endpoints;
  }

  private static AdvertisedNic nic(ByteBuffer rest) {
    int number = Byte.toUnsignedInt(rest.get());
    int flags = rest.get();
    return new AdvertisedNic(
        number,
        (flags & ONE_SIDED) != 0,
        Byte.toUnsignedInt(rest.get()),
        Integer.toUnsignedLong(rest.getInt()),
        (flags & INNER) != 0,
        (flags & READS_IMMEDIATES) != 0,
        (flags & READS_PIECES) != 0);
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

  private static String text(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }
}
