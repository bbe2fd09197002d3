package io.millrace.actor.peer;

import static io.millrace.actor.peer.FrameCheck.body;
import static io.millrace.actor.peer.FrameCheck.requireBlock;
import static io.millrace.actor.peer.FrameCheck.requireData;
import static io.millrace.actor.peer.FrameCheck.requireGroup;

import io.millrace.actor.body.BodyTerms;
import io.millrace.actor.body.WriteFlags;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.RecordRequestDecoder;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionExhaustedDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import io.millrace.wire.codec.ResetReason;
import io.millrace.wire.codec.TransferAckDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Takes the frames of transfers by write tokens apart and gives them to their path; rules P-9 and
 * W-1 to W-10, W-17. One a worker, on its thread; does not allocate.
 */
final class WriteReader {
  /** A request without bytes ahead. */
  private static final int SHORTEST_REQUEST = RequestRegionsDecoder.aheadBytesEncodingOffset();

  /** A reset that does not tell what its request took of inline credit. */
  private static final int SHORTEST_RESET = FlowResetDecoder.costBytesEncodingOffset();

  private static final int LOWEST_PRIORITY = 7;
  private static final int RECORD_BYTES = 1 << 16;
  private static final int TAG_BYTES = 16;
  private static final int LONGEST_FILL = 1 << 20;
  private static final int LONGEST_HEADERS = 16 << 10;

  private static final int HIGHEST_REASON =
      Arrays.stream(ResetReason.values())
          .filter(reason -> reason != ResetReason.NULL_VAL)
          .mapToInt(ResetReason::value)
          .max()
          .orElseThrow();

  private final DataChunkDecoder chunk = new DataChunkDecoder();
  private final WriteNotifyDecoder notice = new WriteNotifyDecoder();
  private final TransferAckDecoder ack = new TransferAckDecoder();
  private final RegionGrantDecoder grant = new RegionGrantDecoder();
  private final RequestRegionsDecoder request = new RequestRegionsDecoder();
  private final RegionRevokeDecoder revoke = new RegionRevokeDecoder();
  private final RegionExhaustedDecoder exhausted = new RegionExhaustedDecoder();
  private final FlowResetDecoder reset = new FlowResetDecoder();
  private final RecordRequestDecoder records = new RecordRequestDecoder();
  private final NoticeSpan span = new NoticeSpan();

  /**
   * Whether an opened packet of chunks has as many bytes behind its tag as its frames say. The tag
   * covers the frames only: with another length the packet was altered on its way.
   */
  boolean isWhole(UnsafeBuffer buffer, int offset, int length) {
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

  private void wrapChunk(UnsafeBuffer buffer, int frame) {
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
   * Reads an opened packet of chunks that is whole.
   *
   * @return false if a chunk must count as not received
   */
  boolean readChunks(PeerPath path, UnsafeBuffer buffer, int offset) {
    int chunks = PacketHeader.chunks(buffer, offset);
    int frame = offset + PacketHeader.LENGTH;
    int payload = frame + chunks * PacketHeader.CHUNK_LENGTH + PacketHeader.TAG_LENGTH;
    boolean taken = true;
    for (int i = 0; i < chunks; i++) {
      wrapChunk(buffer, frame);
      long bytes = chunk.length();
      taken &=
          path.regions()
              .onBareChunk(
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
   * Reads a chunk whose bytes end its frame.
   *
   * @return false if it must count as not received
   */
  boolean readChunk(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, DataChunkDecoder.BLOCK_LENGTH);
    chunk.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int payload = body(at) + block;
    if (chunk.length() != end - payload) {
      throw new ProtocolViolationException("a chunk's length is not that of its frame");
    }
    return path.regions()
        .onChunk(
            (int) chunk.region(),
            (int) chunk.fill(),
            chunk.key(),
            chunk.at(),
            chunk.length(),
            buffer,
            payload);
  }

  /** Reads one frame of this template, which lies between {@code at} and {@code end}. */
  void read(PeerPath path, UnsafeBuffer buffer, int at, int end, int template) {
    switch (template) {
      case WriteNotifyDecoder.TEMPLATE_ID -> readNotice(path, buffer, at, end);
      case TransferAckDecoder.TEMPLATE_ID -> readAck(path, buffer, at, end);
      case RegionGrantDecoder.TEMPLATE_ID -> readGrant(path, buffer, at, end);
      case RequestRegionsDecoder.TEMPLATE_ID -> readRequest(path, buffer, at, end);
      case RegionRevokeDecoder.TEMPLATE_ID -> readRevoke(path, buffer, at, end);
      case RegionExhaustedDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, RegionExhaustedDecoder.BLOCK_LENGTH);
        exhausted.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.writes().onExhausted((int) exhausted.requestId(), exhausted.estimateMs());
      }
      case FlowResetDecoder.TEMPLATE_ID -> readReset(path, buffer, at, end);
      case RecordRequestDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, RecordRequestDecoder.BLOCK_LENGTH);
        records.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.writes()
            .onRecordsWanted(
                (int) records.region(), (int) records.fill(), records.key(), records.records());
      }
      default -> throw new ProtocolViolationException("there is no frame " + template);
    }
  }

  private void readNotice(PeerPath path, UnsafeBuffer buffer, int at, int end) {
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
    notice.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    requireTerms(notice);
    requireTags(buffer, group, tagsLength);
    requireBuffer(notice, tagsLength);
    path.regions().onNotify(notice, buffer, span);
  }

  /** Checks what decides how much memory a body takes before its first record was opened. */
  private static void requireTerms(WriteNotifyDecoder notice) {
    long headers = notice.headersBytes();
    long body = notice.bodyBytes();
    if (notice.priority() > LOWEST_PRIORITY
        || headers > LONGEST_HEADERS
        || (body != BodyTerms.UNKNOWN && body < headers)) {
      throw new ProtocolViolationException(
          "a notification of priority "
              + notice.priority()
              + " tells of a body of "
              + body
              + " bytes, "
              + headers
              + " of them headers");
    }
  }

  /** Checks that it names a buffer if it tells of bytes, and none if not; rule W-17. */
  private static void requireBuffer(WriteNotifyDecoder notice, int tagsLength) {
    long bufferId = notice.bufferId();
    if ((bufferId != 0) != (tagsLength > 0)) {
      throw new ProtocolViolationException(
          "a notification with " + tagsLength + " bytes of tags names buffer " + bufferId);
    }
  }

  /** Checks that there is one tag for each record before anything of the frame takes effect. */
  private static void requireTags(UnsafeBuffer buffer, int group, int tagsLength) {
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

  private void readAck(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, TransferAckDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, TransferAckDecoder.RegionsDecoder.sbeBlockLength());
    ack.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    TransferAckDecoder.RegionsDecoder regions = ack.regions();
    while (regions.hasNext()) {
      regions.next();
      if (regions.dispositionRaw() > RegionDisposition.REVOKED.value()) {
        throw new ProtocolViolationException("disposition " + regions.dispositionRaw());
      }
      path.writes().onAck(regions);
    }
  }

  private void readGrant(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RegionGrantDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, RegionGrantDecoder.TokensDecoder.sbeBlockLength());
    grant.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int requestId = (int) grant.requestId();
    RegionGrantDecoder.TokensDecoder tokens = grant.tokens();
    while (tokens.hasNext()) {
      path.writes().onGrant(requestId, tokens.next());
    }
  }

  private void readRequest(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, SHORTEST_REQUEST);
    requireGroup(
        buffer, body(at) + block, end, RequestRegionsDecoder.WantsDecoder.sbeBlockLength());
    request.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    PathRegions regions = path.regions();
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

  private void readRevoke(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RegionRevokeDecoder.BLOCK_LENGTH);
    requireGroup(
        buffer, body(at) + block, end, RegionRevokeDecoder.RegionsDecoder.sbeBlockLength());
    revoke.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    RegionRevokeDecoder.RegionsDecoder regions = revoke.regions();
    while (regions.hasNext()) {
      regions.next();
      path.writes().onRevoked((int) regions.region(), regions.key());
    }
  }

  private void readReset(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, SHORTEST_RESET);
    int textAt = body(at) + block;
    int textLength = requireData(buffer, textAt, end);
    reset.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    if (reset.reasonRaw() > HIGHEST_REASON) {
      throw new ProtocolViolationException("a transfer ends for reason " + reset.reasonRaw());
    }
    String text = buffer.getStringWithoutLengthUtf8(textAt + FrameCheck.HEADER_LENGTH, textLength);
    if (reset.flags() == WriteFlags.FROM_SENDER
        && reset.reasonRaw() == ResetReason.CANCELLED.value()) {
      long cost = block < FlowResetDecoder.BLOCK_LENGTH ? 0 : reset.costBytes();
      path.transfers().serving().onGivenUp(reset.transferId(), cost, text);
    } else {
      path.transfers().bodies().onReset(reset.transferId(), reset.flags(), reset.reasonRaw(), text);
    }
  }
}
