package io.millrace.fuzz;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.FarSide;
import io.millrace.wire.CausalPrefix;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FramePieceEncoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.PacketSlotsEncoder;
import io.millrace.wire.codec.PathLostEncoder;
import io.millrace.wire.codec.PathTokenEncoder;
import io.millrace.wire.codec.RetireControlKeyEncoder;
import io.millrace.wire.codec.RetireDataKeyEncoder;
import io.millrace.wire.codec.UseRailEncoder;
import java.nio.ByteOrder;

/** Frames on a path itself, and requests that wait for other transfers, made by hand. */
final class PathFrames {
  private static final int SPACE_BYTES = 512;
  private static final int PIECE_BYTES = 1_024;
  private static final int PIECE_SPACE_BYTES = 1_200;
  private static final int FLOOR = 1;

  private PathFrames() {}

  static byte[] token(long pathId, long first, long second) {
    SegmentBuffer frame = space();
    PathTokenEncoder encoder = new PathTokenEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.pathId(pathId).first(first).second(second);
    return FarSide.framed(
        frame, encoder.limit(), PathTokenEncoder.BLOCK_LENGTH, PathTokenEncoder.TEMPLATE_ID);
  }

  static byte[] lost(long pathId) {
    SegmentBuffer frame = space();
    PathLostEncoder encoder = new PathLostEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.pathId(pathId);
    return FarSide.framed(
        frame, encoder.limit(), PathLostEncoder.BLOCK_LENGTH, PathLostEncoder.TEMPLATE_ID);
  }

  static byte[] rail(long number, int initiatorEndpoint, int responderEndpoint) {
    SegmentBuffer frame = space();
    UseRailEncoder encoder = new UseRailEncoder().wrap(frame, FrameStart.LENGTH);
    encoder
        .number(number)
        .initiatorEndpoint((short) initiatorEndpoint)
        .responderEndpoint((short) responderEndpoint);
    return FarSide.framed(
        frame, encoder.limit(), UseRailEncoder.BLOCK_LENGTH, UseRailEncoder.TEMPLATE_ID);
  }

  static byte[] slots(int first, int count, int bytes) {
    SegmentBuffer frame = space();
    PacketSlotsEncoder encoder = new PacketSlotsEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.address(0).key(1).firstSlot(first).slots(count).slotBytes(bytes);
    return FarSide.framed(
        frame, encoder.limit(), PacketSlotsEncoder.BLOCK_LENGTH, PacketSlotsEncoder.TEMPLATE_ID);
  }

  /** A piece of 1,024 bytes of a frame, or its rest. */
  static byte[] piece(byte[] whole, int offset) {
    SegmentBuffer frame = new SegmentBuffer(new byte[PIECE_SPACE_BYTES]);
    FramePieceEncoder encoder = new FramePieceEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.number(0).oldest(0).frameBytes(whole.length).pieceOffset(offset);
    encoder.putBytes(whole, offset, Math.min(PIECE_BYTES, whole.length - offset));
    return FarSide.framed(
        frame, encoder.limit(), FramePieceEncoder.BLOCK_LENGTH, FramePieceEncoder.TEMPLATE_ID);
  }

  static byte[] retireControlKey(int keyId) {
    SegmentBuffer frame = space();
    RetireControlKeyEncoder encoder = new RetireControlKeyEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.keyId(keyId);
    return FarSide.framed(
        frame,
        encoder.limit(),
        RetireControlKeyEncoder.BLOCK_LENGTH,
        RetireControlKeyEncoder.TEMPLATE_ID);
  }

  static byte[] retireDataKey(long first, long second) {
    SegmentBuffer frame = space();
    RetireDataKeyEncoder encoder = new RetireDataKeyEncoder().wrap(frame, FrameStart.LENGTH);
    frame.putLong(FrameStart.LENGTH, first, ByteOrder.LITTLE_ENDIAN);
    frame.putLong(FrameStart.LENGTH + Long.BYTES, second, ByteOrder.LITTLE_ENDIAN);
    return FarSide.framed(
        frame,
        encoder.limit(),
        RetireDataKeyEncoder.BLOCK_LENGTH,
        RetireDataKeyEncoder.TEMPLATE_ID);
  }

  /** A request, or the opening of a stream, with a number and a list of awaited transfers. */
  static byte[] causal(long transferId, long route, int pattern, long number, long... awaited) {
    byte[] headers = new byte[CausalPrefix.length(awaited.length)];
    CausalPrefix prefix = new CausalPrefix().start(headers, awaited.length, number, 1, number);
    prefix.stamp(headers, number, FLOOR);
    for (int i = 0; i < awaited.length; i++) {
      prefix.putDependency(i, awaited[i], i % 2 == 0);
    }
    SegmentBuffer frame = space();
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder
        .transferId(transferId)
        .route(route)
        .priority((short) 3)
        .pattern((short) (pattern | CausalPrefix.FLAG));
    encoder.putHeaders(headers, 0, headers.length).putPayload(new byte[20], 0, 20);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  private static SegmentBuffer space() {
    return new SegmentBuffer(new byte[SPACE_BYTES]);
  }
}
