package io.millrace.path.peer;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.CallReader;
import io.millrace.path.call.ChallengeReader;
import io.millrace.path.call.WorkerCalls;
import io.millrace.path.packet.PathToken;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.packet.RailControl;
import io.millrace.path.region.RegionReader;
import io.millrace.path.slot.SlotReader;
import io.millrace.path.stream.StreamReader;
import io.millrace.path.write.WriteReader;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.DrainDecoder;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.FramePieceDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.PacketSlotsDecoder;
import io.millrace.wire.codec.PathLostDecoder;
import io.millrace.wire.codec.PathTokenDecoder;
import io.millrace.wire.codec.RecordRequestDecoder;
import io.millrace.wire.codec.RegionExhaustedDecoder;
import io.millrace.wire.codec.RegionGrantDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import io.millrace.wire.codec.StreamCloseAckDecoder;
import io.millrace.wire.codec.StreamCloseDecoder;
import io.millrace.wire.codec.StreamCreditDecoder;
import io.millrace.wire.codec.StreamDataDecoder;
import io.millrace.wire.codec.TransferAckDecoder;
import io.millrace.wire.codec.TransferChallengeDecoder;
import io.millrace.wire.codec.TransferChallengeResponseDecoder;
import io.millrace.wire.codec.UseRailDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;

/**
 * Gives each frame of a packet to the room concerned; rules P-4 and P-7. Each worker has its own
 * readers.
 */
final class FrameReaders {
  private final CallReader calls;
  private final ChallengeReader challenges = new ChallengeReader();
  private final StreamReader streams = new StreamReader();
  private final RegionReader regions = new RegionReader();
  private final WriteReader writes = new WriteReader();
  private final DrainDecoder drain = new DrainDecoder();
  private final PathTokenDecoder token = new PathTokenDecoder();
  private final PathLostDecoder lost = new PathLostDecoder();
  private final UseRailDecoder rail = new UseRailDecoder();

  FrameReaders(WorkerCalls shared) {
    calls = new CallReader(shared);
  }

  /** Reads the frame between {@code at} and {@code end}; false if it counts as not received. */
  boolean read(PeerPath path, int template, SegmentBuffer buffer, int at, int end) {
    switch (template) {
      case InlineRequestDecoder.TEMPLATE_ID -> calls.readRequest(path.calls(), buffer, at, end);
      case InlineResponseDecoder.TEMPLATE_ID -> calls.readResponse(path.calls(), buffer, at, end);
      case FlowResetDecoder.TEMPLATE_ID -> calls.readReset(path.calls(), buffer, at, end);
      case WriteNotifyDecoder.TEMPLATE_ID -> regions.readNotice(path.regions(), buffer, at, end);
      case RequestRegionsDecoder.TEMPLATE_ID ->
          regions.readRequest(path.regions(), buffer, at, end);
      case DataChunkDecoder.TEMPLATE_ID -> {
        return regions.readChunk(path.regions(), buffer, at, end);
      }
      case TransferAckDecoder.TEMPLATE_ID -> writes.readAck(path.writes(), buffer, at, end);
      case RegionGrantDecoder.TEMPLATE_ID -> writes.readGrant(path.writes(), buffer, at, end);
      case RegionRevokeDecoder.TEMPLATE_ID -> writes.readRevoke(path.writes(), buffer, at, end);
      case RegionExhaustedDecoder.TEMPLATE_ID ->
          writes.readExhausted(path.writes(), buffer, at, end);
      case RecordRequestDecoder.TEMPLATE_ID ->
          writes.readRecordRequest(path.writes(), buffer, at, end);
      case StreamDataDecoder.TEMPLATE_ID,
          StreamCreditDecoder.TEMPLATE_ID,
          StreamCloseDecoder.TEMPLATE_ID,
          StreamCloseAckDecoder.TEMPLATE_ID -> {
        return streams.read(path.streams(), buffer, at, end, template);
      }
      case PathTokenDecoder.TEMPLATE_ID -> readToken(path, buffer, at, end);
      case UseRailDecoder.TEMPLATE_ID -> readRail(path, buffer, at, end);
      case PathLostDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, PathLostDecoder.BLOCK_LENGTH);
        lost.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.onLost(lost.pathId());
      }
      case TransferChallengeDecoder.TEMPLATE_ID ->
          challenges.read(path.calls().challenges(), buffer, at, end);
      case TransferChallengeResponseDecoder.TEMPLATE_ID ->
          challenges.readResponse(path.calls().challenges(), buffer, at, end);
      case PacketSlotsDecoder.TEMPLATE_ID ->
          SlotReader.read(path.packets().terms(), path.slots(), buffer, at, end);
      case FramePieceDecoder.TEMPLATE_ID -> {
        return path.pieces().read(buffer, at, end);
      }
      case DrainDecoder.TEMPLATE_ID -> readDrain(path, buffer, at, end);
      default -> throw new ProtocolViolationException("unknown frame " + template);
    }
    return true;
  }

  private void readToken(PeerPath path, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, PathTokenDecoder.BLOCK_LENGTH);
    token.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    path.packets().renewal().onToken(token.pathId(), new PathToken(token.first(), token.second()));
  }

  private void readDrain(PeerPath path, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, DrainDecoder.BLOCK_LENGTH);
    drain.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    path.drain().onDrain(drain.flags());
  }

  /** Looks at a frame of a packet that counts as not received; rule RP-3. */
  void readLate(PeerPath path, int template, SegmentBuffer buffer, int at, int end) {
    switch (template) {
      case InlineRequestDecoder.TEMPLATE_ID ->
          challenges.readLateRequest(path.calls().challenges(), buffer, at, end);
      case WriteNotifyDecoder.TEMPLATE_ID ->
          challenges.readLateNotice(path.calls().challenges(), buffer, at, end);
      default -> {}
    }
  }

  /** Whether a packet of chunks is as long as its frames say. */
  boolean isWhole(SegmentBuffer buffer, int offset, int length) {
    return regions.isWhole(buffer, offset, length);
  }

  /** Reads a whole packet of chunks; false if the packet counts as not received. */
  boolean readChunks(PeerPath path, SegmentBuffer buffer, int offset) {
    return regions.readChunks(path.regions(), buffer, offset);
  }

  private void readRail(PeerPath path, SegmentBuffer buffer, int at, int end) {
    int known = UseRailDecoder.queueUsEncodingOffset();
    int block = requireBlock(buffer, at, end, known);
    rail.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    RailControl rails = path.packets().rails();
    if (block >= known + Integer.BYTES) {
      rails.onPeerQueue(rail.number(), rail.queueUs());
    }
    rails.onPeer(
        rail.number(), rail.initiatorEndpoint(), rail.responderEndpoint(), path.packets().nowNs());
  }
}
