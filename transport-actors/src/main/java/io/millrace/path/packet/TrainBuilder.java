package io.millrace.path.packet;

import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import org.jspecify.annotations.Nullable;

/**
 * Fills a send buffer with packets of one path: many frames under each seal, many packets in each
 * train. All packets but the last have one length, so that the system may cut the train; rules P-5
 * and P-8. Stops where the window, the peer's credit, the log or the buffer ends. Each worker has a
 * builder, on the worker's thread; does not allocate.
 */
final class TrainBuilder implements PacketLog {
  /**
   * A packet is filled up to the train's length if the padding costs no more than this part of the
   * length.
   */
  private static final int PADDING_SHARE = 4;

  private final WorkerContext worker;
  private final int maxPackets;
  private SegmentBuffer out = new SegmentBuffer(new byte[0]);
  private int length;
  private int segmentLength;

  /** Bytes of the packet being built that were counted for the levels of their frames. */
  private int frameBytes;

  private boolean ackEliciting;

  /**
   * Whether the packet being built holds nothing but an Ack and answers that their callers await.
   */
  private boolean patient;

  private boolean logging;

  /** The recovery of the packet being built. */
  private @Nullable PathRecovery recovery;

  TrainBuilder(WorkerContext worker) {
    this.worker = worker;
    maxPackets = worker.network().maxTrainPackets();
  }

  /** The number of bytes of the train made by {@link #build}. */
  int length() {
    return length;
  }

  /** The number of bytes of each packet of the train but the last. */
  int segmentLength() {
    return segmentLength;
  }

  /**
   * Builds a train, the first packet beginning with the frames of {@code level}.
   *
   * @return whether the train has a packet to post
   */
  boolean build(PathParts path, SendBuffer buffer, int level, long nowNs) {
    out = buffer.buffer();
    length = 0;
    segmentLength = 0;
    int packets = 0;
    int limit = Math.min(out.capacity(), path.trains().trainBytes(nowNs));
    boolean more = true;
    while (more && packets < maxPackets) {
      int room = segmentLength == 0 ? path.size().datagramBytes() : segmentLength;
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
              && path.frames().sendableLevels() != 0
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

  /**
   * Builds one packet of acknowledgements and probes alone; false without acknowledgements and
   * probes.
   */
  boolean buildControl(PathParts path, SendBuffer buffer, long nowNs) {
    out = buffer.buffer();
    start(path, path.recovery().canOpenPacket(1));
    int afterControl = path.control().encode(out, PacketHeader.LENGTH, this);
    int end =
        encodeHeads(path, afterControl, path.size().datagramBytes() - PacketHeader.TAG_LENGTH);
    if (end == PacketHeader.LENGTH) {
      abandon(path);
      return false;
    }
    // The peer may learn by this packet of its requests, and then does not ask; rule R-8.
    path.recovery().onPatienceEnded(nowNs);
    single(path, end + PacketHeader.TAG_LENGTH, 0, nowNs);
    return true;
  }

  /** Builds one packet to try out a size; the log has room for the packet. */
  void buildSizeProbe(PathParts path, SendBuffer buffer, int packetBytes, long nowNs) {
    out = buffer.buffer();
    start(path, true);
    path.recovery().markSizeProbe();
    addItem(path.size().probeItem(packetBytes));
    int end = path.control().encodeSizeProbe(out, PacketHeader.LENGTH);
    single(path, end + PacketHeader.TAG_LENGTH, packetBytes, nowNs);
  }

  /** Builds one packet to try a rail; the log has room for the packet. */
  void buildRailTry(PathParts path, SendBuffer buffer, int rail, long nowNs) {
    out = buffer.buffer();
    start(path, true);
    // The arrival or loss of this packet says nothing of the rail in use.
    path.recovery().markSizeProbe();
    int end = path.control().encodeRailTry(out, PacketHeader.LENGTH, this, rail);
    single(path, end + PacketHeader.TAG_LENGTH, 0, nowNs);
  }

  private void single(PathParts path, int packetLength, int atLeast, long nowNs) {
    length = Math.max(packetLength, atLeast);
    segmentLength = length;
    finish(path, 0, packetLength, length, nowNs);
  }

  @Override
  public boolean canAddItem() {
    return logging && recovery().canAddItem();
  }

  @Override
  public int itemsLeft() {
    return recovery().itemsLeft();
  }

  @Override
  public void addItem(long item) {
    recovery().addItem(item);
    ackEliciting = true;
    patient = false;
  }

  @Override
  public void addQuietItem(long item) {
    recovery().addItem(item);
  }

  private PathRecovery recovery() {
    PathRecovery present = recovery;
    if (present == null) {
      throw new IllegalStateException("no packet is being built");
    }
    return present;
  }

  private int encodeHeads(PathParts path, int position, int end) {
    return logging ? path.encodeHeads(out, position, end, this) : position;
  }

  private void start(PathParts path, boolean logging) {
    this.logging = logging;
    recovery = path.recovery();
    ackEliciting = false;
    patient = false;
    if (logging) {
      path.recovery().openPacket(path.keys().nextPacketNumber());
    }
  }

  private void abandon(PathParts path) {
    if (logging) {
      path.recovery().abandonPacket();
    }
  }

  /**
   * Adds an acknowledgement and frames to a packet that another builder has opened and begun;
   * returns the position behind the last frame.
   *
   * @param buffer the packet's buffer
   * @param position the first free byte
   * @param end the position of the tag in a packet of full size
   * @param level the level of the first frames
   */
  int append(PathParts path, SegmentBuffer buffer, int position, int end, int level) {
    out = buffer;
    logging = true;
    recovery = path.recovery();
    patient = false;
    int at = writeLevels(path, level, path.control().encode(out, position, this), end);
    if (worker.counters().data().isHeard()) {
      tellMessages(path, position, at);
    }
    return at;
  }

  private boolean mayBePadded(int packetLength) {
    return segmentLength == 0 || segmentLength - packetLength <= segmentLength / PADDING_SHARE;
  }

  /**
   * Writes frames for a packet at {@code at}; returns the packet's length with tag, or 0 without
   * frames.
   */
  private int assemble(PathParts path, int at, int room, int level) {
    start(path, true);
    frameBytes = 0;
    int start = at + PacketHeader.LENGTH;
    int end = at + room - PacketHeader.TAG_LENGTH;
    patient = path.received().isPromptAckPending();
    int afterControl = path.control().encode(out, start, this);
    int afterHeads = encodeHeads(path, afterControl, end);
    int position = writeLevels(path, level, afterHeads, end);
    if (position == start) {
      abandon(path);
      return 0;
    }
    position = path.control().rideAlong(out, position, end, this);
    int packetLength = position + PacketHeader.TAG_LENGTH - at;
    if (patient && path.recovery().mayWait(packetLength)) {
      // The Ack is the first frame, because an acknowledgement was pending.
      FrameStart.encodeMayWait(out, start);
      path.recovery().markPatient();
    }
    return packetLength;
  }

  /** Writes frames of {@code first}, then of all other levels, the most urgent level first. */
  private int writeLevels(PathParts path, int first, int from, int end) {
    int position = writeLevel(path, first, from, end);
    int rest = path.frames().waitingLevels() & ~(1 << first);
    while (rest != 0) {
      position = writeLevel(path, Integer.numberOfTrailingZeros(rest), position, end);
      rest &= rest - 1;
    }
    return position;
  }

  private int writeLevel(PathParts path, int level, int from, int end) {
    int position = from;
    PathFrames frames = path.frames();
    OutboundFrame frame;
    while (path.recovery().canAddItem() && (frame = frames.next(level)) != null) {
      int frameLength = frame.encodedLength();
      if (position + frameLength > end) {
        break;
      }
      frames.take(frame);
      write(frame, position);
      path.trains().onFrames(level, frameLength);
      frameBytes += frameLength;
      position += frameLength;
    }
    return position;
  }

  private void write(OutboundFrame frame, int position) {
    frame.encode(out, position);
    boolean isStillPatient = patient && frame.isAwaited();
    addItem(frame.item());
    patient = isStillPatient;
    worker.counters().payloadBytesSent += frame.contentLength();
  }

  /** Pads, seals and logs the packet at {@code at}. */
  private void finish(PathParts path, int at, int packetLength, int padded, long nowNs) {
    if (padded > packetLength) {
      out.setMemory(at + packetLength - PacketHeader.TAG_LENGTH, padded - packetLength, (byte) 0);
    }
    if (worker.counters().data().isHeard()) {
      tellMessages(path, at + PacketHeader.LENGTH, at + packetLength - PacketHeader.TAG_LENGTH);
    }
    path.keys().seal(out, at, padded - PacketHeader.OVERHEAD);
    path.onPacketSealed(padded, ackEliciting, logging, nowNs);
  }

  private void tellMessages(PathParts path, int from, int end) {
    int at = from;
    while (at + FrameStart.LENGTH <= end) {
      int frameLength = FrameStart.frameLength(out, at);
      if (frameLength < FrameStart.LENGTH) {
        return;
      }
      worker
          .counters()
          .data()
          .messageSent(path.context().pathId(), FrameStart.templateId(out, at), frameLength);
      at += frameLength;
    }
  }
}
