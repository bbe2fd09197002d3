package io.millrace.path.write;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireGroup;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.RecordRequestDecoder;
import io.millrace.wire.codec.RegionDisposition;
import io.millrace.wire.codec.RegionExhaustedDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.TransferAckDecoder;

/**
 * Takes the frames of a memory-granting peer apart, and gives them to the writes of the path; rules
 * W-1 to W-10. Each worker has a reader, on the worker's thread; does not allocate.
 */
public final class WriteReader {
  /** The length of a token of peers that name no endpoint. */
  private static final int SHORTEST_TOKEN =
      RegionGrantDecoder.TokensDecoder.endpointEncodingOffset();

  private final TransferAckDecoder ack = new TransferAckDecoder();
  private final RegionGrantDecoder grant = new RegionGrantDecoder();
  private final RegionRevokeDecoder revoke = new RegionRevokeDecoder();
  private final RegionExhaustedDecoder exhausted = new RegionExhaustedDecoder();
  private final RecordRequestDecoder records = new RecordRequestDecoder();

  /** Reads a RegionExhausted. */
  public void readExhausted(PathWrites writes, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RegionExhaustedDecoder.BLOCK_LENGTH);
    exhausted.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    writes.onExhausted((int) exhausted.requestId(), exhausted.estimateMs());
  }

  /** Reads a RecordRequest. */
  public void readRecordRequest(PathWrites writes, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RecordRequestDecoder.BLOCK_LENGTH);
    records.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    writes.onRecordsWanted(
        (int) records.region(), (int) records.fill(), records.key(), records.records());
  }

  /** Reads a TransferAck. */
  public void readAck(PathWrites writes, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, TransferAckDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, TransferAckDecoder.RegionsDecoder.sbeBlockLength());
    ack.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    TransferAckDecoder.RegionsDecoder regions = ack.regions();
    while (regions.hasNext()) {
      regions.next();
      if (regions.dispositionRaw() > RegionDisposition.REVOKED.value()) {
        throw new ProtocolViolationException("disposition " + regions.dispositionRaw());
      }
      writes.onAck(regions);
    }
  }

  /** Reads a RegionGrant. */
  public void readGrant(PathWrites writes, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RegionGrantDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, SHORTEST_TOKEN);
    grant.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int requestId = (int) grant.requestId();
    RegionGrantDecoder.TokensDecoder tokens = grant.tokens();
    boolean namesEndpoint =
        tokens.actingBlockLength() >= RegionGrantDecoder.TokensDecoder.sbeBlockLength();
    while (tokens.hasNext()) {
      writes.onGrant(requestId, tokens.next(), namesEndpoint);
    }
  }

  /** Reads a RegionRevoke. */
  public void readRevoke(PathWrites writes, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, RegionRevokeDecoder.BLOCK_LENGTH);
    requireGroup(
        buffer, body(at) + block, end, RegionRevokeDecoder.RegionsDecoder.sbeBlockLength());
    revoke.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    RegionRevokeDecoder.RegionsDecoder regions = revoke.regions();
    while (regions.hasNext()) {
      regions.next();
      writes.onRevoked((int) regions.region(), regions.key());
    }
  }
}
