package io.millrace.path.packet;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireData;
import static io.millrace.path.packet.FrameCheck.requireGroup;

import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.PeerText;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import io.millrace.wire.codec.ProbeDecoder;
import io.millrace.wire.codec.ProbeResponseDecoder;

/**
 * Takes a datagram of a path apart: opens the datagram, and gives each frame to its receiver; rules
 * P-3 to P-7. A stranger's datagram ends in a counted drop at worst; a peer's violation ends the
 * path of the peer. Each worker has a reader, on the worker's thread; does not allocate.
 */
final class PacketReader {
  private static final int ECN_CE = 3;
  private static final int RANGE_LENGTH = AckDecoder.RangesDecoder.sbeBlockLength();

  private final WorkerContext worker;
  private final AckDecoder ack = new AckDecoder();
  private final ProbeDecoder probe = new ProbeDecoder();
  private final ProbeResponseDecoder answer = new ProbeResponseDecoder();
  private final PathCloseDecoder close = new PathCloseDecoder();

  /** The number of the packet being read. */
  private long packetNumber;

  /**
   * Whether every frame of the packet being read was taken, so that the packet may count as
   * received.
   */
  private boolean isTaken;

  /** Whether the sender of the packet being read lets the acknowledgement wait; rule R-8. */
  private boolean mayWait;

  PacketReader(WorkerContext worker) {
    this.worker = worker;
  }

  /** Opens a datagram of {@code path} and handles the frames in the datagram. */
  void read(PathParts path, SegmentBuffer buffer, int offset, int length, int ecn, long nowNs) {
    if (PacketHeader.isRetirement(buffer, offset, length)) {
      readRetirement(path, buffer, offset, length);
      return;
    }
    long packetNumber = PacketHeader.packetNumber(buffer, offset);
    if (!path.received().canAccept(packetNumber)) {
      dropSeen(path, packetNumber, buffer, offset, length, nowNs);
      return;
    }
    boolean isChunks = PacketHeader.isChunks(buffer, offset, length);
    int bodyLength =
        isChunks
            ? PacketHeader.chunks(buffer, offset) * PacketHeader.CHUNK_LENGTH
            : length - PacketHeader.OVERHEAD;
    if (!path.keys().isKeyAccepted(buffer, offset)) {
      worker.counters().unknownKeys++;
      drop(DropReason.UNKNOWN_KEY);
      return;
    }
    if (!path.keys().open(buffer, offset, bodyLength)) {
      worker.counters().authenticationFailures++;
      drop(DropReason.NOT_AUTHENTIC);
      return;
    }
    path.listener().onAuthenticPacket(packetNumber, nowNs);
    if (isChunks && !path.rooms().isWhole(buffer, offset, length)) {
      refuse(path, packetNumber);
      worker.counters().authenticationFailures++;
      drop(DropReason.NOT_AUTHENTIC);
      return;
    }
    worker.counters().packetsReceived++;
    worker.counters().data().packetReceived(path.context().pathId(), packetNumber, length);
    if (isChunks) {
      mayWait = false;
      onRead(path, packetNumber, path.rooms().onChunks(buffer, offset), true, ecn, nowNs);
      return;
    }
    int body = offset + PacketHeader.LENGTH;
    isTaken = true;
    mayWait = false;
    this.packetNumber = packetNumber;
    boolean ackEliciting = readFrames(path, buffer, body, body + bodyLength);
    onRead(path, packetNumber, isTaken, ackEliciting, ecn, nowNs);
  }

  /**
   * Reads a retirement, which is no sign of life and changes no other decision of the path; rule
   * K-7.
   */
  private void readRetirement(PathParts path, SegmentBuffer buffer, int offset, int length) {
    if (PacketHeader.pathId(buffer, offset) != path.keys().wireId()) {
      // The datagram belongs to another secret than the present secret. The path forgets a key with
      // its secret at the latest.
      worker.counters().unknownKeys++;
      drop(DropReason.UNKNOWN_KEY);
      return;
    }
    DropReason reason = path.retirements().read(buffer, offset, length, path.listener());
    if (reason == DropReason.DUPLICATE) {
      worker.counters().duplicatesDropped++;
    } else if (reason != null) {
      worker.counters().authenticationFailures++;
    }
    if (reason != null) {
      drop(reason);
    }
  }

  /**
   * Drops a packet that was seen before, or is too old to be known as new; rule P-3. The reader may
   * open a packet that is too old, and the path then asks the peer about the transfers of the
   * packet; rules RP-1 to RP-3. Even an opened packet does not count as received.
   */
  private void dropSeen(
      PathParts path, long packetNumber, SegmentBuffer buffer, int offset, int length, long nowNs) {
    if (path.received().isTooOld(packetNumber)
        && PacketHeader.isData(buffer, offset, length)
        && path.keys().isKeyAccepted(buffer, offset)
        && path.rooms().mayOpenLate(nowNs)) {
      worker.counters().latePacketsOpened++;
      int bodyLength = length - PacketHeader.OVERHEAD;
      if (!path.keys().open(buffer, offset, bodyLength)) {
        worker.counters().authenticationFailures++;
        drop(DropReason.NOT_AUTHENTIC);
        return;
      }
      int body = offset + PacketHeader.LENGTH;
      showLateFrames(path, buffer, body, body + bodyLength);
      path.context().touch();
    }
    worker.counters().duplicatesDropped++;
    drop(DropReason.DUPLICATE);
  }

  private static void showLateFrames(PathParts path, SegmentBuffer buffer, int from, int end) {
    int at = from;
    while (at + FrameStart.LENGTH <= end) {
      int frameLength = FrameStart.frameLength(buffer, at);
      if (frameLength < FrameStart.LENGTH || at + frameLength > end) {
        return;
      }
      path.rooms().onLateFrame(FrameStart.templateId(buffer, at), buffer, at, at + frameLength);
      at += frameLength;
    }
  }

  private void onRead(
      PathParts path,
      long packetNumber,
      boolean isWhole,
      boolean ackEliciting,
      int ecn,
      long nowNs) {
    if (isWhole) {
      path.received().onPacket(packetNumber, ackEliciting, mayWait, ecn == ECN_CE, nowNs);
    } else {
      refuse(path, packetNumber);
    }
  }

  /** The packet counts as not received. */
  private void refuse(PathParts path, long packetNumber) {
    path.received().onRefused(packetNumber);
    worker.counters().packetsNotTaken++;
  }

  private boolean readFrames(PathParts path, SegmentBuffer buffer, int from, int end) {
    boolean ackEliciting = false;
    int at = from;
    while (at + FrameStart.LENGTH <= end && !path.context().isOver()) {
      int frameLength = FrameStart.frameLength(buffer, at);
      if (frameLength == 0) {
        break;
      }
      if (frameLength < FrameStart.LENGTH || at + frameLength > end) {
        throw new ProtocolViolationException("a frame of " + frameLength + " bytes does not fit");
      }
      ackEliciting |= readFrame(path, buffer, at, at + frameLength);
      at += frameLength;
    }
    return ackEliciting;
  }

  /** Handles one frame and returns whether the frame asks for an acknowledgement. */
  private boolean readFrame(PathParts path, SegmentBuffer buffer, int at, int end) {
    int template = FrameStart.templateId(buffer, at);
    worker.counters().data().messageReceived(path.context().pathId(), template, end - at);
    switch (template) {
      case AckDecoder.TEMPLATE_ID -> {
        readAck(path, buffer, at, end);
        return false;
      }
      case ProbeDecoder.TEMPLATE_ID -> {
        requireBlock(buffer, at, end, ProbeDecoder.BLOCK_LENGTH);
        probe.wrap(
            buffer, body(at), FrameStart.blockLength(buffer, at), FrameStart.version(buffer, at));
        path.control().wantResponse(probe.probeId(), probe.sentNs());
        path.recovery().onAsked();
      }
      case ProbeResponseDecoder.TEMPLATE_ID -> {
        int block = requireBlock(buffer, at, end, ProbeResponseDecoder.BLOCK_LENGTH);
        answer.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
        path.onProbeAnswer(answer.probeId(), answer.sentNs());
        return false;
      }
      case PathCloseDecoder.TEMPLATE_ID -> {
        readClose(path, buffer, at, end);
        return false;
      }
      default -> {
        if (template != InlineRequestDecoder.TEMPLATE_ID) {
          path.received().onOthers();
        }
        isTaken &= path.rooms().onFrame(template, buffer, at, end);
      }
    }
    return true;
  }

  private void readAck(PathParts path, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, AckDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, RANGE_LENGTH);
    ack.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    mayWait |= FrameStart.mayWait(buffer, at);
    path.onAck(ack, packetNumber);
  }

  private void readClose(PathParts path, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, PathCloseDecoder.BLOCK_LENGTH);
    close.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int textAt = body(at) + block;
    int textLength = requireData(buffer, textAt, end);
    path.listener().onPeerClosed(close.reasonRaw(), PeerText.of(buffer, textAt + 2, textLength));
  }

  private void drop(DropReason reason) {
    worker.counters().datagramsDropped++;
    worker.counters().data().packetDropped(reason);
  }
}
