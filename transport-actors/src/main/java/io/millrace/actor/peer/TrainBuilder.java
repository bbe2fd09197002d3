package io.millrace.actor.peer;

import io.millrace.driver.SendBuffer;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.wire.PacketHeader;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Fills a send buffer with packets of one path: many frames under each seal, many packets in each
 * train, all but the last of one length so that the system may cut them; rules P-5 and P-8. Stops
 * where the window, the peer's credit, the log or the buffer ends. One a worker, on its thread;
 * does not allocate.
 */
final class TrainBuilder {
  /** A packet is filled up to the train's length if that costs no more than this part of it. */
  private static final int PADDING_SHARE = 4;

  private final WorkerServices services;
  private final int maxPackets;
  private UnsafeBuffer out = new UnsafeBuffer(new byte[0]);
  private int length;
  private int segmentLength;

  /** Bytes of the packet being built that were counted for the levels of their frames. */
  private int frameBytes;

  private boolean ackEliciting;
  private boolean logging;

  TrainBuilder(WorkerServices services) {
    this.services = services;
    maxPackets = Math.max(1, services.endpoint().capabilities().maxTrainPackets());
  }

  /** Bytes of the train that {@link #build} made. */
  int length() {
    return length;
  }

  /** Bytes of its packets but the last. */
  int segmentLength() {
    return segmentLength;
  }

  /**
   * Builds a train, the first packet beginning with the frames of {@code level}.
   *
   * @return whether there is anything to post
   */
  boolean build(PeerPath path, SendBuffer buffer, int level, long nowNs) {
    out = buffer.buffer();
    length = 0;
    segmentLength = 0;
    int packets = 0;
    int limit = Math.min(out.capacity(), path.trains().trainBytes(nowNs));
    boolean more = true;
    while (more && packets < maxPackets) {
      int room = segmentLength == 0 ? path.datagramBytes() : segmentLength;
      if (length + room > (packets == 0 ? out.capacity() : limit) || !path.maySend(room)) {
        break;
      }
      int packetLength = assemble(path, length, room, level);
      if (packetLength == 0) {
        break;
      }
      more =
          packets + 1 < maxPackets
              && length + 2 * Math.max(segmentLength, packetLength) <= limit
              && path.transfers().sendableLevels() != 0
              && mayBePadded(packetLength);
      int padded = more && segmentLength != 0 ? segmentLength : packetLength;
      finish(path, length, packetLength, padded, nowNs);
      path.trains().onFrames(level, padded - frameBytes);
      segmentLength = Math.max(segmentLength, padded);
      length += padded;
      packets++;
    }
    return packets > 0;
  }

  /** Builds one packet of acknowledgements and probes alone; false if there are none. */
  boolean buildControl(PeerPath path, SendBuffer buffer, long nowNs) {
    out = buffer.buffer();
    start(path, path.recovery().canOpenPacket(1));
    int afterControl = path.control().encode(out, PacketHeader.LENGTH, this);
    int end = encodeStatements(path, afterControl, path.datagramBytes() - PacketHeader.TAG_LENGTH);
    if (end == PacketHeader.LENGTH) {
      abandon(path);
      return false;
    }
    single(path, end + PacketHeader.TAG_LENGTH, 0, nowNs);
    return true;
  }

  /** Builds one packet that tries out a size; the log has room for it. */
  void buildSizeProbe(PeerPath path, SendBuffer buffer, int packetBytes, long nowNs) {
    out = buffer.buffer();
    start(path, true);
    path.recovery().markSizeProbe();
    int end = path.control().encodeSizeProbe(out, PacketHeader.LENGTH, this, packetBytes);
    single(path, end + PacketHeader.TAG_LENGTH, packetBytes, nowNs);
  }

  private void single(PeerPath path, int packetLength, int atLeast, long nowNs) {
    length = Math.max(packetLength, atLeast);
    segmentLength = length;
    finish(path, 0, packetLength, length, nowNs);
  }

  /** Whether the log takes another item of the packet that is being built. */
  boolean canAddItem(PeerPath path) {
    return logging && path.recovery().canAddItem();
  }

  /** Notes an item of the packet that is being built; it then asks for an acknowledgement. */
  void addItem(PeerPath path, long item) {
    path.recovery().addItem(item);
    ackEliciting = true;
  }

  private int encodeStatements(PeerPath path, int position, int end) {
    RegionStatements statements = path.regions().statements();
    return logging && statements.isDue() ? statements.encode(out, position, end, this) : position;
  }

  /** Items that the packet being built still has room for, as far as statements need to know. */
  int itemsLeft(PeerPath path) {
    return path.recovery().itemsLeft();
  }

  /** Notes an item for which alone the packet need not be acknowledged. */
  void addQuietItem(PeerPath path, long item) {
    path.recovery().addItem(item);
  }

  private void start(PeerPath path, boolean logging) {
    this.logging = logging;
    ackEliciting = false;
    if (logging) {
      path.recovery().openPacket(path.keys().nextPacketNumber());
    }
  }

  private void abandon(PeerPath path) {
    if (logging) {
      path.recovery().abandonPacket();
    }
  }

  private boolean mayBePadded(int packetLength) {
    return segmentLength == 0 || segmentLength - packetLength <= segmentLength / PADDING_SHARE;
  }

  /**
   * Writes frames for a packet at {@code at}; returns its length with tag, or 0 if there are none.
   */
  private int assemble(PeerPath path, int at, int room, int level) {
    start(path, true);
    frameBytes = 0;
    int start = at + PacketHeader.LENGTH;
    int end = at + room - PacketHeader.TAG_LENGTH;
    int afterControl = path.control().encode(out, start, this);
    int afterStatements = encodeStatements(path, afterControl, end);
    int position = writeLevel(path, level, afterStatements, end);
    int rest = path.transfers().frames().nonEmptyLevels() & ~(1 << level);
    while (rest != 0) {
      int next = Integer.numberOfTrailingZeros(rest);
      rest &= rest - 1;
      position = writeLevel(path, next, position, end);
    }
    if (position == start) {
      abandon(path);
      return 0;
    }
    return position + PacketHeader.TAG_LENGTH - at;
  }

  private int writeLevel(PeerPath path, int level, int from, int end) {
    int position = from;
    PathTransfers transfers = path.transfers();
    FrameQueue frames = transfers.frames();
    OutboundFrame frame = transfers.nextFrame(level);
    while (frame != null && path.recovery().canAddItem()) {
      int frameLength = frame.encodedLength();
      if (frame.isObsolete()) {
        frames.remove(frame);
        transfers.onObsolete(frame);
      } else if (!transfers.canGo(frame)) {
        frames.remove(frame);
        transfers.setAside(frame);
      } else if (position + frameLength > end) {
        break;
      } else {
        frames.remove(frame);
        transfers.pay(frame);
        write(path, frame, position);
        path.trains().onFrames(level, frameLength);
        frameBytes += frameLength;
        position += frameLength;
      }
      frame = transfers.nextFrame(level);
    }
    return position;
  }

  private void write(PeerPath path, OutboundFrame frame, int position) {
    frame.encode(out, position);
    addItem(path, frame.item());
    services.counters().payloadBytesSent += frame.contentLength();
  }

  /** Pads, seals and logs the packet at {@code at}. */
  private void finish(PeerPath path, int at, int packetLength, int padded, long nowNs) {
    if (padded > packetLength) {
      out.setMemory(at + packetLength - PacketHeader.TAG_LENGTH, padded - packetLength, (byte) 0);
    }
    path.keys().seal(out, at, padded - PacketHeader.OVERHEAD);
    path.onPacketSealed(padded, ackEliciting, logging, nowNs);
    services.counters().packetsSent++;
  }
}
