package io.millrace.path.write;

import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathParts;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.region.WriteToken;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.DataChunkEncoder;

/**
 * Fills a send buffer with packets of chunks. Header and chunk frames go under the seal, the sealed
 * bytes of the regions behind the tag; rules P-10 and W-3. Bytes of a fill that once arrived wrong
 * go under the seal, too. So do bytes whose data key other peers have, if the settings want the
 * cover; rule W-9. Packets are filled across the ends of fills, so that all packets but the last
 * have the same length. Each worker has a train, on the worker's thread; does not allocate.
 */
final class ChunkTrain {
  /** Fewer bytes of a further chunk are not worth the frame. */
  private static final int LEAST_CHUNK_BYTES = 64;

  /** Room for an acknowledgement and a notification behind the last chunk. */
  private static final int END_BYTES = 1_024;

  private final WorkerContext worker;
  private final DataChunkEncoder chunk = new DataChunkEncoder();
  private final WriteFill[] fills = new WriteFill[PacketHeader.MAX_CHUNKS];
  private final int[] ats = new int[PacketHeader.MAX_CHUNKS];
  private final int[] lengths = new int[PacketHeader.MAX_CHUNKS];
  private final int[] numbers = new int[PacketHeader.MAX_CHUNKS];
  private final long[] keys = new long[PacketHeader.MAX_CHUNKS];
  private final int[] regions = new int[PacketHeader.MAX_CHUNKS];
  private final int maxPackets;
  private SegmentBuffer out = new SegmentBuffer(new byte[0]);
  private int count;
  private int payloadBytes;
  private boolean isCovered;
  private boolean isShared;
  private int appendedBytes;
  private int length;
  private int segmentLength;

  ChunkTrain(WorkerContext worker) {
    this.worker = worker;
    maxPackets = worker.network().maxTrainPackets();
  }

  /** Builds and posts a train of chunks of {@code level}; false if no chunk may go. */
  boolean send(PathParts path, PathChunks chunks, SendBuffer buffer, int level, long nowNs) {
    out = buffer.buffer();
    length = 0;
    segmentLength = 0;
    int packets = 0;
    int limit = Math.min(out.capacity(), path.trains().trainBytes(nowNs));
    boolean isFull = true;
    while (isFull && packets < maxPackets) {
      int room = segmentLength == 0 ? firstRoom(path, chunks) : segmentLength;
      if (length + room > (packets == 0 ? out.capacity() : limit) || !mayGoOn(path, chunks, room)) {
        break;
      }
      plan(chunks, level, room);
      if (count == 0) {
        break;
      }
      boolean isEnd =
          room == path.size().datagramBytes()
              && roomLeft(room) >= END_BYTES
              && !isShared
              && chunks.endsFills(level);
      int packetLength =
          isEnd ? writeEnd(path, length, room, level, nowNs) : write(path, length, nowNs);
      path.trains().onChunks(level, packetLength - appendedBytes);
      isFull = packetLength == room && packetLength <= path.size().datagramBytes();
      segmentLength = Math.max(segmentLength, packetLength);
      length += packetLength;
      packets++;
    }
    chunks.onTrain(packets > 0 && mayGoOn(path, chunks, path.size().datagramBytes()));
    if (packets == 0) {
      return false;
    }
    path.trains().post(buffer, length, segmentLength, nowNs);
    return true;
  }

  /** Returns the room of the first packet; a train of a single packet may try out a size. */
  private int firstRoom(PathParts path, PathChunks chunks) {
    int probe = path.bulkProbeBytes();
    return probe > 0 && probe <= out.capacity() && mayGoOn(path, chunks, probe)
        ? probe
        : path.size().datagramBytes();
  }

  /** A notification waiting for further fills must find room in the window, too. */
  private static boolean mayGoOn(PathParts path, PathChunks chunks, int room) {
    boolean hasNotifications = chunks.hasNotifications();
    return path.maySendChunks(hasNotifications ? room + path.size().datagramBytes() : room);
  }

  /** Takes chunks for one packet of at most {@code room} bytes. */
  private void plan(PathChunks chunks, int level, int room) {
    count = 0;
    payloadBytes = 0;
    isCovered = false;
    isShared = false;
    appendedBytes = 0;
    int left = room - PacketHeader.OVERHEAD - PacketHeader.CHUNK_LENGTH;
    while (count < PacketHeader.MAX_CHUNKS
        && left >= LEAST_CHUNK_BYTES
        && chunks.takeChunk(level, left)) {
      WriteFill fill = chunks.chunkFill();
      WriteToken token = fill.token();
      fills[count] = fill;
      isCovered |= fill.isCovered();
      isShared |= fill.body().isShared();
      ats[count] = chunks.chunkAt();
      lengths[count] = chunks.chunkLength();
      numbers[count] = token.fill();
      keys[count] = token.key();
      regions[count] = token.region();
      payloadBytes += lengths[count];
      left -= lengths[count] + PacketHeader.CHUNK_LENGTH;
      count++;
    }
  }

  /** The bytes of a packet that its chunks leave. */
  private int roomLeft(int room) {
    return room - PacketHeader.OVERHEAD - count * PacketHeader.CHUNK_LENGTH - payloadBytes;
  }

  /**
   * Writes the last chunks with the notifications of their fills, all under the seal: a packet less
   * for both sides costs less than the second encryption of these bytes. Not for bytes that several
   * peers get: these bytes are encrypted once.
   */
  private int writeEnd(PathParts path, int at, int room, int level, long nowNs) {
    path.recovery().openPacket(path.keys().nextPacketNumber());
    writeCovered(at + PacketHeader.LENGTH);
    addItems(path);
    int from = at + PacketHeader.LENGTH + count * PacketHeader.CHUNK_LENGTH + payloadBytes;
    int position = path.trains().append(out, from, at + room - PacketHeader.TAG_LENGTH, level);
    appendedBytes = position - from;
    int packetLength = position + PacketHeader.TAG_LENGTH - at;
    path.keys().seal(out, at, packetLength - PacketHeader.OVERHEAD);
    path.onPacketSealed(packetLength, true, true, nowNs);
    worker.counters().payloadBytesSent += payloadBytes;
    return packetLength;
  }

  private void addItems(PathParts path) {
    for (int i = 0; i < count; i++) {
      path.recovery()
          .addItem(ChunkItem.of(fills[i].token().slot(), numbers[i], ats[i], lengths[i]));
    }
  }

  private int write(PathParts path, int at, long nowNs) {
    path.recovery().openPacket(path.keys().nextPacketNumber());
    int packetLength = PacketHeader.OVERHEAD + count * PacketHeader.CHUNK_LENGTH + payloadBytes;
    if (isCovered) {
      writeCovered(at + PacketHeader.LENGTH);
      path.keys().seal(out, at, packetLength - PacketHeader.OVERHEAD);
    } else {
      writeBehind(at + PacketHeader.LENGTH);
      path.keys().sealChunks(out, at, count);
    }
    addItems(path);
    if (packetLength > path.size().datagramBytes() && path.recovery().canAddItem()) {
      path.recovery().markSizeProbe();
      path.recovery().addItem(path.size().probeItem(packetLength));
      path.size().onBulkProbe(packetLength);
    }
    path.onPacketSealed(packetLength, true, true, nowNs);
    worker.counters().payloadBytesSent += payloadBytes;
    return packetLength;
  }

  /** Writes all frames, then behind the tag the bytes of all chunks. */
  private void writeBehind(int at) {
    int frame = at;
    int payload = at + count * PacketHeader.CHUNK_LENGTH + PacketHeader.TAG_LENGTH;
    for (int i = 0; i < count; i++) {
      writeFrame(i, frame, PacketHeader.CHUNK_LENGTH);
      fills[i].copy(ats[i], lengths[i], out, payload);
      frame += PacketHeader.CHUNK_LENGTH;
      payload += lengths[i];
    }
  }

  /** Writes frames with the bytes at the end of each frame. */
  private void writeCovered(int at) {
    int frame = at;
    for (int i = 0; i < count; i++) {
      writeFrame(i, frame, PacketHeader.CHUNK_LENGTH + lengths[i]);
      fills[i].copy(ats[i], lengths[i], out, frame + PacketHeader.CHUNK_LENGTH);
      frame += PacketHeader.CHUNK_LENGTH + lengths[i];
    }
  }

  private void writeFrame(int i, int frame, int frameLength) {
    FrameStart.encode(
        out, frame, frameLength, DataChunkEncoder.BLOCK_LENGTH, DataChunkEncoder.TEMPLATE_ID);
    chunk
        .wrap(out, frame + FrameStart.LENGTH)
        .region(regions[i])
        .fill(numbers[i])
        .key(keys[i])
        .at(ats[i])
        .length(lengths[i]);
  }
}
