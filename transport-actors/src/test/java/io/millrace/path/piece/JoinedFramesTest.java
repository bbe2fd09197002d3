package io.millrace.path.piece;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.FrameReceiver;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FramePieceEncoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.UseRailEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The pieces of frames that a peer sends, also a hostile peer. Rule T-8. */
class JoinedFramesTest {
  private static final int BYTES = FramePiece.BYTES;
  private static final int FRAME_BYTES = 3 * BYTES + 100;
  private static final int REQUEST = InlineRequestEncoder.TEMPLATE_ID;

  private final Rooms rooms = new Rooms();
  private JoinedFrames frames = new JoinedFrames(rooms, 8_972);
  private final byte[] frame = frame(REQUEST, FRAME_BYTES, FRAME_BYTES);

  /** Keeps the frames; a fake of the rooms above a path's packets. */
  private static final class Rooms implements FrameReceiver {
    private final List<byte[]> frames = new ArrayList<>();
    private boolean isRefusing;

    @Override
    public boolean onFrame(int template, SegmentBuffer buffer, int at, int end) {
      byte[] copy = new byte[end - at];
      buffer.getBytes(at, copy);
      frames.add(copy);
      return !isRefusing;
    }

    @Override
    public void onPacket(long packetNumber) {}

    @Override
    public boolean mayOpenLate(long nowNs) {
      return false;
    }

    @Override
    public void onLateFrame(int template, SegmentBuffer buffer, int at, int end) {}

    @Override
    public boolean isWhole(SegmentBuffer buffer, int offset, int length) {
      return false;
    }

    @Override
    public boolean onChunks(SegmentBuffer buffer, int offset) {
      return false;
    }
  }

  private static byte[] frame(int template, int length, int toldLength) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    FrameStart.encode(new SegmentBuffer(bytes), 0, toldLength, 16, template);
    return bytes;
  }

  /** The piece at this place, as told by the sender; the bytes are those of {@code of}. */
  private boolean read(byte[] of, long number, long oldest, int offset, int length) {
    return read(number, oldest, of.length, offset, of, length);
  }

  private boolean read(
      long number, long oldest, int frameBytes, int offset, byte[] from, int length) {
    byte[] bytes = new byte[2_048];
    SegmentBuffer piece = new SegmentBuffer(bytes);
    FramePieceEncoder encoder =
        new FramePieceEncoder()
            .wrap(piece, FrameStart.LENGTH)
            .number(number)
            .oldest(oldest)
            .frameBytes(frameBytes)
            .pieceOffset(offset);
    encoder.putBytes(from, Math.min(offset, from.length - length), length);
    FrameStart.encode(
        piece, 0, encoder.limit(), FramePieceEncoder.BLOCK_LENGTH, FramePieceEncoder.TEMPLATE_ID);
    return frames.read(piece, 0, encoder.limit());
  }

  private boolean piece(long number, long oldest, int place) {
    int offset = place * BYTES;
    return read(frame, number, oldest, offset, Math.min(BYTES, FRAME_BYTES - offset));
  }

  @Test
  void shouldJoinPiecesInAnyOrderOnce() {
    for (int place : new int[] {3, 1, 1, 0, 3, 2, 2, 0}) {
      assertTrue(piece(0, 0, place));
    }
    assertEquals(1, rooms.frames.size());
    assertArrayEquals(frame, rooms.frames.getFirst());
  }

  @Test
  void shouldTakeTheLastPieceAgainOfAFrameThatCountsAsNotReceived() {
    rooms.isRefusing = true;
    for (int place = 0; place < 3; place++) {
      assertTrue(piece(5, 4, place));
    }
    assertFalse(piece(5, 4, 3));
    assertTrue(piece(5, 4, 1), "this piece is known");
    rooms.isRefusing = false;
    assertTrue(piece(5, 4, 3));
    assertEquals(2, rooms.frames.size());
    assertTrue(piece(5, 4, 3));
    assertEquals(2, rooms.frames.size());
  }

  @Test
  void shouldForgetFramesThatAreOver() {
    for (int place = 0; place < 3; place++) {
      assertTrue(piece(0, 0, place));
    }
    assertTrue(piece(16, 1, 0), "takes the place of frame 0");
    assertTrue(piece(0, 0, 3), "comes too late");
    for (int place = 1; place < 4; place++) {
      assertTrue(piece(16, 1, place));
    }
    assertEquals(1, rooms.frames.size());
  }

  @Test
  void shouldRefusePiecesThatBreakTheRule() {
    assertViolation(() -> piece(3, 4, 0));
    assertViolation(() -> piece(CutFrames.MOST_FRAMES, 0, 0));
    assertViolation(() -> read(frame, 0, 0, 512, BYTES));
    assertViolation(() -> read(frame, 0, 0, BYTES, BYTES - 1));
    assertViolation(() -> read(frame, 0, 0, 3 * BYTES, 99));
    assertViolation(() -> read(frame, 0, 0, 3 * BYTES, BYTES));
    assertViolation(() -> read(frame, 0, 0, 4 * BYTES, 0));
    assertViolation(() -> read(0, 0, BYTES, 0, frame, BYTES));
    assertViolation(() -> read(0, 0, 8_973 - PacketHeader.OVERHEAD, 0, frame, BYTES));
    assertTrue(piece(0, 0, 0));
    assertViolation(() -> read(0, 0, FRAME_BYTES + 1, BYTES, frame, BYTES));
    assertEquals(0, rooms.frames.size());
  }

  @Test
  void shouldRefuseFramesThatAreNeverCut() {
    for (int template : new int[] {UseRailEncoder.TEMPLATE_ID, FramePieceEncoder.TEMPLATE_ID}) {
      assertRefused(frame(template, 2 * BYTES, 2 * BYTES));
    }
    assertRefused(frame(REQUEST, 2 * BYTES, 2 * BYTES + 1));
    assertRefused(frame(REQUEST, 2 * BYTES, 2 * BYTES - 1));
    assertEquals(0, rooms.frames.size());
  }

  private void assertRefused(byte[] of) {
    frames = new JoinedFrames(rooms, 8_972);
    assertTrue(read(of, 0, 0, 0, BYTES));
    assertViolation(() -> read(of, 0, 0, BYTES, BYTES));
  }

  private static void assertViolation(Runnable run) {
    assertThrows(ProtocolViolationException.class, run::run);
  }
}
