package io.millrace.actor.peer;

import static io.millrace.actor.peer.FrameCheck.body;
import static io.millrace.actor.peer.FrameCheck.requireBlock;
import static io.millrace.actor.peer.FrameCheck.requireData;
import static io.millrace.actor.peer.FrameCheck.requireGroup;

import io.millrace.event.DropReason;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.DataChunkDecoder;
import io.millrace.wire.codec.DrainDecoder;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import io.millrace.wire.codec.ProbeDecoder;
import io.millrace.wire.codec.ProbeResponseDecoder;
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
import io.millrace.wire.codec.WriteNotifyDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a datagram apart: finds its path, opens it, and gives each frame to the path; rules P-1 to
 * P-7. Whatever a stranger can send ends in a counted drop; whatever a peer sends wrongly ends its
 * path. One a worker, on its thread; does not allocate.
 */
public final class PacketReader {
  private static final int ECN_CE = 3;
  private static final int LOWEST_PRIORITY = 7;
  private static final int RANGE_LENGTH = AckDecoder.RangesDecoder.sbeBlockLength();

  private final WorkerServices services;
  private final AckDecoder ack = new AckDecoder();
  private final ProbeDecoder probe = new ProbeDecoder();
  private final ProbeResponseDecoder answer = new ProbeResponseDecoder();
  private final InlineRequestDecoder request = new InlineRequestDecoder();
  private final InlineResponseDecoder response = new InlineResponseDecoder();
  private final DrainDecoder drain = new DrainDecoder();
  private final PathCloseDecoder close = new PathCloseDecoder();
  private final WriteReader writes = new WriteReader();
  private final StreamReader streams = new StreamReader();

  /** Whether no frame of the packet at hand must count as not received. */
  private boolean isTaken;

  PacketReader(WorkerServices services) {
    this.services = services;
  }

  /**
   * The path that a datagram is for, or null: then it was dropped and counted. Nothing in it is
   * believed yet.
   */
  public @Nullable PeerPath pathOf(UnsafeBuffer buffer, int offset, int length) {
    if (!PacketHeader.isData(buffer, offset, length)
        && !PacketHeader.isChunks(buffer, offset, length)) {
      drop(DropReason.MALFORMED);
      return null;
    }
    PeerPath path = services.paths().find(PacketHeader.pathId(buffer, offset));
    if (path == null) {
      drop(DropReason.UNKNOWN_PATH);
      return null;
    }
    if (PacketHeader.destinationWorker(buffer, offset) != services.worker()
        || PacketHeader.sourceWorker(buffer, offset) != path.remoteWorker()) {
      drop(DropReason.WRONG_WORKER);
      return null;
    }
    return path;
  }

  /** Opens a datagram of {@code path} and handles its frames. */
  public void read(
      PeerPath path, UnsafeBuffer buffer, int offset, int length, int ecn, long nowNs) {
    long packetNumber = PacketHeader.packetNumber(buffer, offset);
    if (!path.received().canAccept(packetNumber)) {
      services.counters().duplicatesDropped++;
      drop(DropReason.DUPLICATE);
      return;
    }
    boolean isChunks = PacketHeader.isChunks(buffer, offset, length);
    int bodyLength =
        isChunks
            ? PacketHeader.chunks(buffer, offset) * PacketHeader.CHUNK_LENGTH
            : length - PacketHeader.OVERHEAD;
    if (!path.keys().isKeyAccepted(buffer, offset)) {
      services.counters().unknownKeys++;
      drop(DropReason.UNKNOWN_KEY);
      return;
    }
    if (!path.keys().open(buffer, offset, bodyLength)) {
      services.counters().authenticationFailures++;
      drop(DropReason.NOT_AUTHENTIC);
      return;
    }
    path.onAuthenticPacket(packetNumber, nowNs);
    if (isChunks && !writes.isWhole(buffer, offset, length)) {
      refuse(path, packetNumber);
      services.counters().authenticationFailures++;
      drop(DropReason.NOT_AUTHENTIC);
      return;
    }
    services.counters().packetsReceived++;
    if (isChunks) {
      onRead(path, packetNumber, writes.readChunks(path, buffer, offset), true, ecn, nowNs);
      return;
    }
    int body = offset + PacketHeader.LENGTH;
    isTaken = true;
    boolean ackEliciting = readFrames(path, buffer, body, body + bodyLength, nowNs);
    onRead(path, packetNumber, isTaken, ackEliciting, ecn, nowNs);
  }

  private void onRead(
      PeerPath path,
      long packetNumber,
      boolean isWhole,
      boolean ackEliciting,
      int ecn,
      long nowNs) {
    if (isWhole) {
      path.received().onPacket(packetNumber, ackEliciting, ecn == ECN_CE, nowNs);
    } else {
      refuse(path, packetNumber);
    }
  }

  /** It counts as not received. */
  private void refuse(PeerPath path, long packetNumber) {
    path.received().onRefused(packetNumber);
    services.counters().packetsNotTaken++;
  }

  private boolean readFrames(PeerPath path, UnsafeBuffer buffer, int from, int end, long nowNs) {
    boolean ackEliciting = false;
    int at = from;
    while (at + FrameStart.LENGTH <= end && !path.isOver()) {
      int frameLength = FrameStart.frameLength(buffer, at);
      if (frameLength == 0) {
        break;
      }
      if (frameLength < FrameStart.LENGTH || at + frameLength > end) {
        throw new ProtocolViolationException("a frame of " + frameLength + " bytes does not fit");
      }
      ackEliciting |= readFrame(path, buffer, at, at + frameLength, nowNs);
      at += frameLength;
    }
    return ackEliciting;
  }

  /** Handles one frame and says whether it asks for an acknowledgement. */
  private boolean readFrame(PeerPath path, UnsafeBuffer buffer, int at, int end, long nowNs) {
    int template = FrameStart.templateId(buffer, at);
    switch (template) {
      case InlineRequestDecoder.TEMPLATE_ID -> readRequest(path, buffer, at, end);
      case InlineResponseDecoder.TEMPLATE_ID -> readResponse(path, buffer, at, end);
      case AckDecoder.TEMPLATE_ID -> {
        readAck(path, buffer, at, end, nowNs);
        return false;
      }
      case ProbeDecoder.TEMPLATE_ID -> {
        requireBlock(buffer, at, end, ProbeDecoder.BLOCK_LENGTH);
        probe.wrap(
            buffer, body(at), FrameStart.blockLength(buffer, at), FrameStart.version(buffer, at));
        path.control().wantResponse(probe.probeId(), probe.sentNs());
      }
      case ProbeResponseDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, ProbeResponseDecoder.BLOCK_LENGTH);
        answer.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.control().onResponse(answer.probeId(), answer.sentNs());
        return false;
      }
      case WriteNotifyDecoder.TEMPLATE_ID,
          TransferAckDecoder.TEMPLATE_ID,
          RegionGrantDecoder.TEMPLATE_ID,
          RequestRegionsDecoder.TEMPLATE_ID,
          RegionRevokeDecoder.TEMPLATE_ID,
          RegionExhaustedDecoder.TEMPLATE_ID,
          FlowResetDecoder.TEMPLATE_ID,
          RecordRequestDecoder.TEMPLATE_ID ->
          writes.read(path, buffer, at, end, template);
      case StreamDataDecoder.TEMPLATE_ID,
          StreamCreditDecoder.TEMPLATE_ID,
          StreamCloseDecoder.TEMPLATE_ID,
          StreamCloseAckDecoder.TEMPLATE_ID ->
          isTaken &= streams.read(path, buffer, at, end, template);
      case DrainDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, DrainDecoder.BLOCK_LENGTH);
        drain.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.departure().onDrain(drain.flags());
      }
      case DataChunkDecoder.TEMPLATE_ID -> isTaken &= writes.readChunk(path, buffer, at, end);
      case PathCloseDecoder.TEMPLATE_ID -> {
        readClose(path, buffer, at, end);
        return false;
      }
      default -> throw new ProtocolViolationException("there is no frame " + template);
    }
    return true;
  }

  private void readRequest(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, InlineRequestDecoder.BLOCK_LENGTH);
    request.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int headersAt = body(at) + block;
    int headersLength = requireData(buffer, headersAt, end);
    int payloadAt = headersAt + 2 + headersLength;
    int payloadLength = requireData(buffer, payloadAt, end);
    int priority = request.priority();
    if (priority > LOWEST_PRIORITY) {
      throw new ProtocolViolationException("priority " + priority + " is not within 0 to 7");
    }
    InboundCall call = services.inbound();
    call.headers(headersAt + 2, headersLength);
    call.payload(payloadAt + 2, payloadLength);
    path.transfers()
        .serving()
        .onRequest(request.transferId(), request.route(), priority, request.pattern(), buffer);
  }

  private void readResponse(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, InlineResponseDecoder.BLOCK_LENGTH);
    response.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int headersAt = body(at) + block;
    int headersLength = requireData(buffer, headersAt, end);
    int payloadAt = headersAt + 2 + headersLength;
    requireData(buffer, payloadAt, end);
    path.transfers()
        .onResponse(response.transferId(), response.statusRaw(), buffer, headersAt, payloadAt);
  }

  private void readAck(PeerPath path, UnsafeBuffer buffer, int at, int end, long nowNs) {
    int block = requireBlock(buffer, at, end, AckDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, RANGE_LENGTH);
    ack.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    path.onAck(ack, nowNs);
  }

  private void readClose(PeerPath path, UnsafeBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, PathCloseDecoder.BLOCK_LENGTH);
    close.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int textAt = body(at) + block;
    int textLength = requireData(buffer, textAt, end);
    path.onPeerClosed(close.reasonRaw(), buffer.getStringWithoutLengthUtf8(textAt + 2, textLength));
  }

  private void drop(DropReason reason) {
    services.counters().datagramsDropped++;
    services.events().onPacketDropped(services.worker(), reason);
  }
}
