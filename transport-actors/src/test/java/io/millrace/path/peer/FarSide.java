package io.millrace.path.peer;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.ControlKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.PathDirection;
import io.millrace.crypto.WorkerPair;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathKeys;
import io.millrace.path.packet.PathTerms;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.InlineResponseEncoder;
import io.millrace.wire.codec.PathCloseEncoder;
import io.millrace.wire.codec.ProbeDecoder;
import io.millrace.wire.codec.ProbeEncoder;
import io.millrace.wire.codec.ProbeResponseEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The peer of a path in a test's hands: packets of frames made by hand, rightly sealed. */
public final class FarSide {
  private static final int SPACE_BYTES = 16_384;

  private final PathKeys keys;
  private final PathTerms terms;
  private long nextRetirement;
  private final SegmentBuffer space = new SegmentBuffer(ByteBuffer.allocateDirect(SPACE_BYTES));

  /** The other end of a path opened with the terms of the same arguments. */
  public FarSide(int path, boolean initiator) {
    terms = WorkerLab.terms(path, initiator, WorkerLab.WINDOW_BYTES);
    keys =
        new PathKeys(
            terms,
            AeadProviders.discover().select(0),
            new KeyLimits(1 << 20, 1L << 36),
            new PathCounters(0));
  }

  /** The id of the secret of a path opened with the terms of the same argument. */
  public static long pathId(int path) {
    return WorkerLab.terms(path, false, WorkerLab.WINDOW_BYTES).secret().pathId();
  }

  /** A datagram with these frames. */
  public byte[] packet(byte[]... frames) {
    int at = PacketHeader.LENGTH;
    for (byte[] frame : frames) {
      space.putBytes(at, frame);
      at += frame.length;
    }
    keys.seal(space, 0, at - PacketHeader.LENGTH);
    byte[] datagram = new byte[at + PacketHeader.TAG_LENGTH];
    space.getBytes(0, datagram);
    return datagram;
  }

  /** A packet that claims this many chunks, with these frames and bytes behind the tag. */
  public byte[] chunkPacket(int chunks, byte[] frames, byte[] payload) {
    int sealed = chunks * PacketHeader.CHUNK_LENGTH;
    space.putBytes(PacketHeader.LENGTH, frames, 0, Math.min(frames.length, sealed));
    keys.sealChunks(space, 0, chunks);
    byte[] datagram = new byte[PacketHeader.OVERHEAD + sealed + payload.length];
    space.getBytes(0, datagram, 0, PacketHeader.OVERHEAD + sealed);
    System.arraycopy(payload, 0, datagram, PacketHeader.OVERHEAD + sealed, payload.length);
    return datagram;
  }

  /** A retirement of this kind of keys with these frames, rightly sealed. */
  public byte[] retirement(byte kind, byte[] frames) {
    WorkerPair workers = terms.workers();
    space.putBytes(PacketHeader.LENGTH, frames);
    PacketHeader.encodeFixed(
        space, 0, workers.source(), workers.destination(), terms.secret().pathId());
    PacketHeader.encodeRetirement(space, 0, kind, nextRetirement);
    PathDirection direction = PathDirection.sending(terms.initiator());
    try (AeadKey key =
            ControlKeys.deriveRetirement(terms.secret(), AesKeySize.AES_128, direction, workers);
        PacketCipher cipher =
            AeadProviders.discover().select(0).cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT)) {
      cipher.seal(space, 0, PacketHeader.LENGTH, frames.length, nextRetirement);
    }
    nextRetirement++;
    byte[] datagram = new byte[PacketHeader.OVERHEAD + frames.length];
    space.getBytes(0, datagram);
    return datagram;
  }

  /** The templates of the frames in a datagram of the path; the datagram must be authentic. */
  public List<Integer> templates(byte[] datagram) {
    List<Integer> templates = new ArrayList<>();
    int body = datagram.length - PacketHeader.OVERHEAD;
    space.putBytes(0, datagram);
    if (!keys.open(space, 0, body)) {
      throw new AssertionError("the datagram is not authentic");
    }
    int at = PacketHeader.LENGTH;
    int end = at + body;
    while (at + FrameStart.LENGTH <= end && FrameStart.frameLength(space, at) > 0) {
      templates.add(FrameStart.templateId(space, at));
      at += FrameStart.frameLength(space, at);
    }
    return templates;
  }

  /** The probe in a datagram of the path; good until the next datagram. */
  public ProbeDecoder probe(byte[] datagram) {
    int at = PacketHeader.LENGTH;
    for (int template : templates(datagram)) {
      if (template == ProbeDecoder.TEMPLATE_ID) {
        return new ProbeDecoder().wrap(space, at + FrameStart.LENGTH, ProbeDecoder.BLOCK_LENGTH, 0);
      }
      at += FrameStart.frameLength(space, at);
    }
    throw new AssertionError("there is no probe");
  }

  /** The first frame of this template in a datagram of the path, its start included; or null. */
  public byte @Nullable [] frame(byte[] datagram, int wanted) {
    int at = PacketHeader.LENGTH;
    for (int template : templates(datagram)) {
      int length = FrameStart.frameLength(space, at);
      if (template == wanted) {
        byte[] frame = new byte[length];
        space.getBytes(at, frame);
        return frame;
      }
      at += length;
    }
    return null;
  }

  /** Whether the frames of a datagram hold this text. */
  public boolean hold(byte[] datagram, String text) {
    int frames = templates(datagram).size();
    return frames > 0 && space.getStringWithoutLengthAscii(0, datagram.length).contains(text);
  }

  public static byte[] request(long transferId, long route, byte[] payload) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64 + payload.length]);
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).route(route).priority((short) 3).pattern((short) 0);
    encoder.putHeaders(new byte[0], 0, 0).putPayload(payload, 0, payload.length);
    return framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  public static byte[] response(long transferId, int status, byte[] payload) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64 + payload.length]);
    InlineResponseEncoder encoder = new InlineResponseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(transferId).flags((short) 0);
    frame.putByte(FrameStart.LENGTH + 8, (byte) status);
    encoder.putHeaders(new byte[0], 0, 0).putPayload(payload, 0, payload.length);
    return framed(
        frame,
        encoder.limit(),
        InlineResponseEncoder.BLOCK_LENGTH,
        InlineResponseEncoder.TEMPLATE_ID);
  }

  public static byte[] probe() {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    ProbeEncoder encoder = new ProbeEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.probeId(1).sentNs(1);
    return framed(frame, encoder.limit(), ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
  }

  public static byte[] answer() {
    return answer(1, 1);
  }

  public static byte[] answer(long probeId, long sentNs) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    ProbeResponseEncoder encoder = new ProbeResponseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.probeId(probeId).sentNs(sentNs);
    return framed(
        frame,
        encoder.limit(),
        ProbeResponseEncoder.BLOCK_LENGTH,
        ProbeResponseEncoder.TEMPLATE_ID);
  }

  public static byte[] close() {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    PathCloseEncoder encoder = new PathCloseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.reason(CloseReason.SHUTDOWN).putText(new byte[0], 0, 0);
    return framed(
        frame, encoder.limit(), PathCloseEncoder.BLOCK_LENGTH, PathCloseEncoder.TEMPLATE_ID);
  }

  /** Lets the keys of this node's side pass over numbers taken by a test. */
  public void skipTo(PathKeys near, long packetNumber) {
    while (near.nextPacketNumber() < packetNumber) {
      near.seal(space, 0, 0);
    }
  }

  /** Packets under the next numbers get lost. */
  public void skip(int packets) {
    for (int i = 0; i < packets; i++) {
      keys.seal(space, 0, 0);
    }
  }

  /**
   * The number of ranges behind the first range of the Ack frame at the start of a datagram; -1
   * without an Ack frame.
   */
  public int ackRanges(byte[] datagram) {
    if (templates(datagram).getFirst() != AckDecoder.TEMPLATE_ID) {
      return -1;
    }
    int at = PacketHeader.LENGTH + FrameStart.LENGTH + AckDecoder.BLOCK_LENGTH;
    return space.getByte(at + 1) & 0xFF;
  }

  /** An acknowledgement of all packets up to {@code largest}. */
  public static byte[] ackUpTo(long largest) {
    return ackOf(0, largest);
  }

  /** An acknowledgement of all packets from {@code first} to {@code largest}. */
  public static byte[] ackOf(long first, long largest) {
    int group = FrameStart.LENGTH + AckDecoder.BLOCK_LENGTH;
    SegmentBuffer frame = new SegmentBuffer(new byte[group + 2]);
    frame.putLong(FrameStart.LENGTH, largest, ByteOrder.LITTLE_ENDIAN);
    frame.putLong(FrameStart.LENGTH + 16, WorkerLab.WINDOW_BYTES, ByteOrder.LITTLE_ENDIAN);
    frame.putInt(FrameStart.LENGTH + 24, (int) (largest - first), ByteOrder.LITTLE_ENDIAN);
    frame.putByte(group, (byte) 8);
    return framed(frame, frame.capacity(), AckDecoder.BLOCK_LENGTH, AckDecoder.TEMPLATE_ID);
  }

  /** An acknowledgement with a further range, whose entries claim this length. */
  public static byte[] ack(long largest, int rangeBlockLength) {
    int block = AckDecoder.BLOCK_LENGTH;
    int group = FrameStart.LENGTH + block;
    SegmentBuffer frame = new SegmentBuffer(new byte[group + 2 + rangeBlockLength]);
    frame.putLong(FrameStart.LENGTH, largest, ByteOrder.LITTLE_ENDIAN);
    frame.putLong(FrameStart.LENGTH + 16, WorkerLab.WINDOW_BYTES, ByteOrder.LITTLE_ENDIAN);
    frame.putByte(group, (byte) rangeBlockLength);
    frame.putByte(group + 1, (byte) 1);
    return framed(frame, frame.capacity(), block, AckDecoder.TEMPLATE_ID);
  }

  public static byte[] framed(SegmentBuffer frame, int end, int block, int template) {
    FrameStart.encode(frame, 0, end, block, template);
    byte[] bytes = new byte[end];
    frame.getBytes(0, bytes);
    return bytes;
  }
}
