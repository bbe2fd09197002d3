package io.millrace.path.region;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireData;
import static io.millrace.path.packet.FrameCheck.requireGroup;

import io.millrace.body.BodyTerms;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.FrameCheck;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.nio.ByteOrder;

/**
 * Takes the frames of a peer with writes into granted memory apart. Gives the frames to the regions
 * of the path; rules P-9, W-1 to W-10 and W-17. Each worker has a reader, on the worker's thread;
 * does not allocate.
 */
public final class RegionReader {
  /** The length of a request without the bytes ahead of need. */
  private static final int SHORTEST_REQUEST = RequestRegionsDecoder.aheadBytesEncodingOffset();

  private static final int LOWEST_PRIORITY = 7;
  private static final int RECORD_BYTES = 1 << 16;
  private static final int TAG_BYTES = 16;
  private static final int LONGEST_FILL = 1 << 20;
  private static final int LONGEST_HEADERS = 16 << 10;

  private final DataChunkDecoder chunk = new DataChunkDecoder();
  private final WriteNotifyDecoder notification = new WriteNotifyDecoder();
  private final RequestRegionsDecoder request = new RequestRegionsDecoder();
  private final Span span = new Span();

  /**
   * The places of the variable parts of a notification in the packet. Each worker reuses a single
   * span.
   */
  static final class Span {
    private int keyAt;
    private int keyLength;
    private int tagsAt;
    private int tagsLength;

    void set(int keyAt, int keyLength, int tagsAt, int tagsLength) {
      this.keyAt = keyAt;
      this.keyLength = keyLength;
      this.tagsAt = tagsAt;
      this.tagsLength = tagsLength;
    }

    int keyAt() {
      return keyAt;
    }

    int keyLength() {
      return keyLength;
    }

    int tagsAt() {
      return tagsAt;
    }

    int tagsLength() {
      return tagsLength;
    }
  }

  /**
   * Whether an opened packet of chunks has as many bytes behind its tag as the frames say. The tag
   * covers the frames only: a packet of another length was altered on its way.
   */
  public boolean isWhole(SegmentBuffer buffer, int offset, int length) {
    int chunks = PacketHeader.chunks(buffer, offset);
    int frame = offset + PacketHeader.LENGTH;
    long bytes = PacketHeader.OVERHEAD + (long) chunks * PacketHeader.CHUNK_LENGTH;
    for (int i = 0; i < chunks; i++) {
      wrapChunk(buffer, frame);
      bytes += chunk.length();
      frame += PacketHeader.CHUNK_LENGTH;
    }
    return bytes == length;
  }

  private void wrapChunk(SegmentBuffer buffer, int frame) {
    if (FrameStart.templateId(buffer, frame) != DataChunkDecoder.TEMPLATE_ID
        || FrameStart.frameLength(buffer, frame) != PacketHeader.CHUNK_LENGTH) {
      throw new ProtocolViolationException("a packet of chunks holds another frame");
    }
    chunk.wrap(
        buffer,
        frame + FrameStart.LENGTH,
        DataChunkDecoder.BLOCK_LENGTH,
        FrameStart.version(buffer, frame));
  }

  /**
   * Reads an opened whole packet of chunks.
   *
   * @return false if a chunk must count as not received
   */
  public boolean readChunks(PathRegions regions, SegmentBuffer buffer, int offset) {
    int chunks = PacketHeader.chunks(buffer, offset);
    int frame = offset + PacketHeader.LENGTH;
    int payload = frame + chunks * PacketHeader.CHUNK_LENGTH + PacketHeader.TAG_LENGTH;
    boolean taken = true;
    for (int i = 0; i < chunks; i++) {
      wrapChunk(buffer, frame);
      long bytes = chunk.length();
      taken &=
          regions.onBareChunk(
              (int) chunk.region(),
              (int) chunk.fill(),
              chunk.key(),
              chunk.at(),
              bytes,
              buffer,
              payload);
      frame += PacketHeader.CHUNK_LENGTH;
      payload += (int) bytes;
    }
    return taken;
  }

  /**
   * Reads a chunk with its bytes at the end of the frame.
   *
   * @return false if the chunk must count as not received
   */
  public boolean readChunk(PathRegions regions, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, DataChunkDecoder.BLOCK_LENGTH);
    chunk.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int payload = body(at) + block;
    if (chunk.length() != end - payload) {
      throw new ProtocolViolationException("a chunk's length does not match its frame");
    }
    return regions.onChunk(
        (int) chunk.region(),
        (int) chunk.fill(),
        chunk.key(),
        chunk.at(),
        chunk.length(),
        buffer,
        payload);
  }

  /** Reads a WriteNotify. */
  public void readNotice(PathRegions regions, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, WriteNotifyDecoder.BLOCK_LENGTH);
    int group = body(at) + block;
    int entries =
        requireGroup(buffer, group, end, WriteNotifyDecoder.RegionsDecoder.sbeBlockLength());
    int keyAt = group + FrameCheck.HEADER_LENGTH + entries;
    int keyLength = requireData(buffer, keyAt, end);
    int tagsAt = keyAt + FrameCheck.HEADER_LENGTH + keyLength;
    int tagsLength = requireData(buffer, tagsAt, end);
    span.set(
        keyAt + FrameCheck.HEADER_LENGTH, keyLength, tagsAt + FrameCheck.HEADER_LENGTH, tagsLength);
    notification.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    requireTerms(notification);
    requireTags(buffer, group, tagsLength);
    requireBuffer(notification, tagsLength);
    regions.onNotify(notification, buffer, span);
  }

  /** Checks the terms that decide on a body's memory before the opening of the first record. */
  private static void requireTerms(WriteNotifyDecoder notification) {
    long headers = notification.headersBytes();
    long body = notification.bodyBytes();
    if (notification.priority() > LOWEST_PRIORITY
        || headers > LONGEST_HEADERS
        || (body != BodyTerms.UNKNOWN && body < headers)) {
      throw new ProtocolViolationException(
          "a notification of priority "
              + notification.priority()
              + " tells of a body of "
              + body
              + " bytes, "
              + headers
              + " of them headers");
    }
  }

  /**
   * Checks that a notification with bytes names a buffer, and a notification without bytes names no
   * buffer; rule W-17.
   */
  private static void requireBuffer(WriteNotifyDecoder notification, int tagsLength) {
    long bufferId = notification.bufferId();
    if ((bufferId != 0) != (tagsLength > 0)) {
      throw new ProtocolViolationException(
          "a notification with " + tagsLength + " bytes of tags names buffer " + bufferId);
    }
  }

  /** Checks for exactly one tag for each record before any part of the frame takes effect. */
  private static void requireTags(SegmentBuffer buffer, int group, int tagsLength) {
    int entry = buffer.getByte(group) & 0xFF;
    int count = buffer.getByte(group + 1) & 0xFF;
    int lengthOffset = WriteNotifyDecoder.RegionsDecoder.lengthBytesEncodingOffset();
    long tags = 0;
    for (int i = 0; i < count; i++) {
      int at = group + FrameCheck.HEADER_LENGTH + i * entry + lengthOffset;
      long length = buffer.getInt(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF_FFFFL;
      if (length > LONGEST_FILL) {
        throw new ProtocolViolationException("a fill of " + length + " bytes");
      }
      tags += (length + RECORD_BYTES - 1) / RECORD_BYTES * TAG_BYTES;
    }
    if (tags != tagsLength) {
      throw new ProtocolViolationException("a notification has not one tag for each record");
    }
  }

  /** Reads a RequestRegions. */
  public void readRequest(PathRegions regions, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, SHORTEST_REQUEST);
    requireGroup(
        buffer, body(at) + block, end, RequestRegionsDecoder.WantsDecoder.sbeBlockLength());
    request.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    if (!regions.onRequest((int) request.requestId())) {
      return;
    }
    regions.onAhead(block < RequestRegionsDecoder.BLOCK_LENGTH ? 0 : request.aheadBytes());
    RequestRegionsDecoder.WantsDecoder wants = request.wants();
    while (wants.hasNext()) {
      wants.next();
      if (wants.priority() > LOWEST_PRIORITY) {
        throw new ProtocolViolationException("priority " + wants.priority() + " is not 0 to 7");
      }
      regions.onWant(wants.priority(), wants.bytes(), (int) wants.largestBytes());
    }
  }
}
