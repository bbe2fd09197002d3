package io.millrace.fuzz;

import io.millrace.path.peer.FarSide;
import io.millrace.wire.PacketHeader;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The input of a peer with the right keys, as bytes that a fuzzer can change. An input has steps,
 * each with a byte for the kind, two bytes for the length, and the content. Any sequence of bytes
 * has a meaning.
 */
final class PeerInput {
  /** In a frame: a placeholder for the key of the peer's granted region. */
  static final long GRANTED_KEY = 0x4B45_594B_4559_4B45L;

  /** In a frame: a placeholder for the number of the peer's granted region. */
  static final int GRANTED_REGION = 0x4E47_4552;

  private static final int KINDS = 4;
  private static final int RETIREMENT = 1;
  private static final int TIME = 2;
  private static final int CHUNKS = 3;
  private static final int LENGTH_BYTES = 2;
  private static final int MOST_STEPS = 64;
  private static final int MOST_BODY = 8_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** A step of the peer or of time. */
  sealed interface Step {
    /** A packet with this body. */
    record Body(byte[] body) implements Step {}

    /** A packet of chunks with these frames, and bytes behind the tag. */
    record Chunks(int count, byte[] frames, byte[] payload) implements Step {}

    /** A datagram with the retirement of keys and with these frames. */
    record Retirement(byte kind, byte[] frames) implements Step {}

    /** Time goes on. */
    record Time(int ms) implements Step {}
  }

  /** Adds a packet with these frames. */
  PeerInput packet(byte[]... frames) {
    return step(0, joined(frames));
  }

  /** A packet of chunks. */
  PeerInput chunks(int count, byte[] frames, byte[] payload) {
    byte[] content = Arrays.copyOf(frames, frames.length + payload.length);
    System.arraycopy(payload, 0, content, frames.length, payload.length);
    return step(CHUNKS + KINDS * (count - 1), content);
  }

  /** A retirement of this kind of keys. */
  PeerInput retirement(byte kind, byte[]... frames) {
    return step(RETIREMENT + KINDS * (kind - 1), joined(frames));
  }

  private static byte[] joined(byte[]... frames) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      body.writeBytes(frame);
    }
    return body.toByteArray();
  }

  /** Adds a step of this number of milliseconds, 255 at most. */
  PeerInput time(int ms) {
    return step(TIME, new byte[] {(byte) ms});
  }

  private PeerInput step(int kind, byte[] content) {
    bytes.write(kind);
    bytes.write(content.length);
    bytes.write(content.length >> Byte.SIZE);
    bytes.writeBytes(content);
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  /** The steps that these bytes mean. */
  static List<Step> steps(byte[] input) {
    List<Step> steps = new ArrayList<>();
    int at = 0;
    while (at + LENGTH_BYTES < input.length && steps.size() < MOST_STEPS) {
      int kind = input[at] & 0xFF;
      int wanted = input[at + 1] & 0xFF | (input[at + 2] & 0xFF) << Byte.SIZE;
      at += 1 + LENGTH_BYTES;
      int length = Math.min(Math.min(wanted, input.length - at), MOST_BODY);
      steps.add(decode(kind, Arrays.copyOfRange(input, at, at + length)));
      at += length;
    }
    return steps;
  }

  private static Step decode(int kind, byte[] content) {
    return switch (kind % KINDS) {
      case TIME -> new Step.Time(content.length == 0 ? 1 : content[0] & 0xFF);
      case CHUNKS -> {
        int count = kind / KINDS % PacketHeader.MAX_CHUNKS + 1;
        int frames = Math.min(content.length, count * PacketHeader.CHUNK_LENGTH);
        yield new Step.Chunks(
            count,
            Arrays.copyOf(content, frames),
            Arrays.copyOfRange(content, frames, content.length));
      }
      case RETIREMENT ->
          new Step.Retirement(
              kind / KINDS % 2 == 0 ? PacketHeader.OF_CONTROL_KEYS : PacketHeader.OF_DATA_KEYS,
              content);
      default -> new Step.Body(content);
    };
  }

  /** The datagram of a step of the peer. */
  static byte[] datagram(FarSide far, Step step) {
    return switch (step) {
      case Step.Body packet -> far.packet(packet.body());
      case Step.Chunks chunks -> far.chunkPacket(chunks.count(), chunks.frames(), chunks.payload());
      case Step.Retirement retirement -> far.retirement(retirement.kind(), retirement.frames());
      case Step.Time _ -> throw new IllegalArgumentException("time is no datagram");
    };
  }
}
