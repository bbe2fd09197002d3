package io.millrace.path.peer;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.DataChunkEncoder;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.RecordRequestEncoder;
import io.millrace.wire.codec.RegionExhaustedEncoder;
import io.millrace.wire.codec.RegionGrantEncoder;
import io.millrace.wire.codec.RegionRevokeEncoder;
import io.millrace.wire.codec.RequestRegionsEncoder;
import io.millrace.wire.codec.TransferAckEncoder;
import io.millrace.wire.codec.WriteNotifyEncoder;

/** Frames of transfers by write tokens, made by hand and as faulty as a test needs. */
public final class WriteFrames {
  private static final int SPACE_BYTES = 4_096;

  private WriteFrames() {}

  public static byte[] chunk(int region, int fill, long key, long at, long length) {
    SegmentBuffer frame = space();
    DataChunkEncoder encoder = new DataChunkEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.region(region).fill(fill).key(key).at(at).length(length);
    return FarSide.framed(
        frame, encoder.limit(), DataChunkEncoder.BLOCK_LENGTH, DataChunkEncoder.TEMPLATE_ID);
  }

  /** A chunk whose frame ends with this many bytes of payload. */
  public static byte[] coveredChunk(
      int region, int fill, long key, long at, long length, int bytes) {
    SegmentBuffer frame = space();
    DataChunkEncoder encoder = new DataChunkEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.region(region).fill(fill).key(key).at(at).length(length);
    return FarSide.framed(
        frame,
        encoder.limit() + bytes,
        DataChunkEncoder.BLOCK_LENGTH,
        DataChunkEncoder.TEMPLATE_ID);
  }

  /** The contents of a notification about a body; any field may be wrong. */
  public record Body(long transferId, long route, long bodyBytes, long headersBytes, int priority) {
    public static Body of(long transferId, long route, long bodyBytes) {
      return new Body(transferId, route, bodyBytes, 0, 3);
    }
  }

  /** A fill of less than a record, in the terms of a notification. */
  public record Fill(int region, int number, long key, int length) {}

  public static byte[] notify(
      Body body, int region, int fill, long key, long length, int keyBytes, int tagsBytes) {
    SegmentBuffer frame = space();
    WriteNotifyEncoder encoder = notice(frame, body, WriteFlags.END);
    encoder.bufferId(tagsBytes > 0 ? 1 : 0);
    encoder.regionsCount(1).next().region(region).fill(fill).key(key).lengthBytes(length);
    return notice(frame, encoder, keyBytes, tagsBytes);
  }

  public static byte[] notify(Body body, int flags, Fill... fills) {
    SegmentBuffer frame = space();
    WriteNotifyEncoder encoder = notice(frame, body, flags);
    encoder.bufferId(fills.length == 0 ? 0 : 1);
    WriteNotifyEncoder.RegionsEncoder group = encoder.regionsCount(fills.length);
    for (Fill fill : fills) {
      group.next().region(fill.region()).fill(fill.number()).key(fill.key());
      group.lengthBytes(fill.length());
    }
    return notice(frame, encoder, fills.length == 0 ? 0 : 16, 16 * fills.length);
  }

  /** Says that a fill of up to a record lies in this buffer, under this nonce. */
  public static byte[] named(Body body, Fill fill, long bufferId, long nonce) {
    SegmentBuffer frame = space();
    WriteNotifyEncoder encoder = notice(frame, body, 0);
    encoder.bufferId(bufferId).firstNonce(nonce);
    WriteNotifyEncoder.RegionsEncoder entry = encoder.regionsCount(1).next();
    entry.region(fill.region()).fill(fill.number()).key(fill.key()).lengthBytes(fill.length());
    return notice(frame, encoder, 16, fill.length() > 0 ? 16 : 0);
  }

  private static WriteNotifyEncoder notice(SegmentBuffer frame, Body body, int flags) {
    WriteNotifyEncoder encoder = new WriteNotifyEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(body.transferId()).route(body.route());
    encoder.bodyBytes(body.bodyBytes()).position(0).firstNonce(1);
    encoder.headersBytes(body.headersBytes()).pattern((short) 4);
    return encoder.priority((short) body.priority()).flags((short) flags);
  }

  private static byte[] notice(
      SegmentBuffer frame, WriteNotifyEncoder encoder, int keyBytes, int tagsBytes) {
    encoder.putDataKey(new byte[keyBytes], 0, keyBytes).putTags(new byte[tagsBytes], 0, tagsBytes);
    return FarSide.framed(
        frame, encoder.limit(), WriteNotifyEncoder.BLOCK_LENGTH, WriteNotifyEncoder.TEMPLATE_ID);
  }

  public static byte[] request(int requestId, int priority, long bytes, long largestBytes) {
    SegmentBuffer frame = space();
    RequestRegionsEncoder encoder = new RequestRegionsEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.requestId(requestId);
    encoder.wantsCount(1).next().priority((short) priority).bytes(bytes).largestBytes(largestBytes);
    return FarSide.framed(
        frame,
        encoder.limit(),
        RequestRegionsEncoder.BLOCK_LENGTH,
        RequestRegionsEncoder.TEMPLATE_ID);
  }

  public static byte[] grant(int region, int fill, long key, long sizeBytes, long authorisedBytes) {
    return grant(region, fill, key, sizeBytes, authorisedBytes, 0);
  }

  public static byte[] grant(
      int region, int fill, long key, long sizeBytes, long authorisedBytes, long lifetimeMs) {
    SegmentBuffer frame = space();
    RegionGrantEncoder encoder = new RegionGrantEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.requestId(1);
    RegionGrantEncoder.TokensEncoder token = encoder.tokensCount(1).next();
    token.region(region).fill(fill).key(key).address(0).sizeBytes(sizeBytes);
    token.authorisedBytes(authorisedBytes).lifetimeMs(lifetimeMs);
    return FarSide.framed(
        frame, encoder.limit(), RegionGrantEncoder.BLOCK_LENGTH, RegionGrantEncoder.TEMPLATE_ID);
  }

  public static byte[] ack(int region, int fill, long key, long authorisedBytes, int disposition) {
    SegmentBuffer frame = space();
    TransferAckEncoder encoder = new TransferAckEncoder().wrap(frame, FrameStart.LENGTH);
    TransferAckEncoder.RegionsEncoder entry = encoder.regionsCount(1).next();
    entry.region(region).fill(fill).key(key).authorisedBytes(authorisedBytes);
    frame.putByte(
        encoder.limit()
            - TransferAckEncoder.RegionsEncoder.sbeBlockLength()
            + TransferAckEncoder.RegionsEncoder.dispositionEncodingOffset(),
        (byte) disposition);
    return FarSide.framed(
        frame, encoder.limit(), TransferAckEncoder.BLOCK_LENGTH, TransferAckEncoder.TEMPLATE_ID);
  }

  public static byte[] records(int region, int fill, long key, long records) {
    SegmentBuffer frame = space();
    RecordRequestEncoder encoder = new RecordRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.region(region).fill(fill).key(key).records(records);
    return FarSide.framed(
        frame,
        encoder.limit(),
        RecordRequestEncoder.BLOCK_LENGTH,
        RecordRequestEncoder.TEMPLATE_ID);
  }

  public static byte[] revoke(int region, long key) {
    SegmentBuffer frame = space();
    RegionRevokeEncoder encoder = new RegionRevokeEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.regionsCount(1).next().region(region).key(key);
    return FarSide.framed(
        frame, encoder.limit(), RegionRevokeEncoder.BLOCK_LENGTH, RegionRevokeEncoder.TEMPLATE_ID);
  }

  public static byte[] exhausted(int requestId) {
    SegmentBuffer frame = space();
    RegionExhaustedEncoder encoder = new RegionExhaustedEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.requestId(requestId).estimateMs(1);
    return FarSide.framed(
        frame,
        encoder.limit(),
        RegionExhaustedEncoder.BLOCK_LENGTH,
        RegionExhaustedEncoder.TEMPLATE_ID);
  }

  public static byte[] reset(long transferId, int flags, int reason) {
    SegmentBuffer frame = space();
    FlowResetEncoder encoder = new FlowResetEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).flags((short) flags);
    frame.putByte(FrameStart.LENGTH + FlowResetEncoder.reasonEncodingOffset(), (byte) reason);
    encoder.putText(new byte[0], 0, 0);
    return FarSide.framed(
        frame, encoder.limit(), FlowResetEncoder.BLOCK_LENGTH, FlowResetEncoder.TEMPLATE_ID);
  }

  private static SegmentBuffer space() {
    return new SegmentBuffer(new byte[SPACE_BYTES]);
  }
}
