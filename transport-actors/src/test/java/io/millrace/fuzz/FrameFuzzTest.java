package io.millrace.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.actor.body.WriteFlags;
import io.millrace.actor.peer.FarSide;
import io.millrace.actor.peer.TransferIds;
import io.millrace.actor.peer.WriteFrames;
import io.millrace.actor.stream.FlowFrames;
import io.millrace.driver.DriverException;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.DrainEncoder;
import io.millrace.wire.codec.StreamCreditEncoder;
import java.util.Arrays;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer with the right keys sends whatever frames: each is taken, dropped, or ends its path as a
 * violation; rule P-7. No other exception comes out, and what the path held comes back.
 */
class FrameFuzzTest {
  private static final long OWN_CALL = TransferIds.of(0);
  private static final long KEY = PeerInput.GRANTED_KEY;
  private static final int REGION = PeerInput.GRANTED_REGION;
  private static final int PEERS_REGION = 3;
  private static final long PEERS_KEY = 99;

  private static final PeerStage STAGE = new PeerStage();

  /** At least one of each frame, in an order that takes a transfer of each kind to its end. */
  static Stream<byte[]> seeds() {
    return Stream.of(paths(), calls(), reads(), writes(), streams(), ownStream())
        .map(PeerInput::bytes);
  }

  private static PeerInput paths() {
    return new PeerInput()
        .packet(FarSide.probe(), FarSide.answer())
        .packet(FarSide.ack(3, 8), FarSide.ackUpTo(2))
        .time(200)
        .packet(drain(1), drain(3))
        .packet(FarSide.close());
  }

  private static PeerInput calls() {
    return new PeerInput()
        .packet(FarSide.request(TransferIds.of(1), PeerStage.ECHO.id(), new byte[40]))
        .packet(FarSide.request(TransferIds.of(2), 77, new byte[40]))
        .packet(FarSide.response(OWN_CALL, 0, new byte[10]))
        .packet(WriteFrames.reset(TransferIds.of(1), 1, 1), WriteFrames.reset(OWN_CALL, 2, 2))
        .time(50);
  }

  /** The peer writes a body into the region that it was granted. */
  private static PeerInput reads() {
    WriteFrames.Body body = WriteFrames.Body.of(TransferIds.of(4), PeerStage.STORE.id(), 100);
    return new PeerInput()
        .chunks(1, WriteFrames.chunk(REGION, 1, KEY, 0, 60), new byte[60])
        .packet(WriteFrames.coveredChunk(REGION, 1, KEY, 60, 40, 40))
        .packet(WriteFrames.notify(body, REGION, 1, KEY, 100, 16, 16))
        .packet(WriteFrames.request(2, 1, 1 << 20, 1 << 18))
        .packet(WriteFrames.notify(body, WriteFlags.END))
        .time(10)
        .chunks(
            2,
            twice(WriteFrames.chunk(REGION, 2, KEY, 0, 8), WriteFrames.chunk(REGION, 2, KEY, 8, 8)),
            new byte[16]);
  }

  /** This node writes into regions that the peer grants. */
  private static PeerInput writes() {
    return new PeerInput()
        .packet(WriteFrames.exhausted(1))
        .packet(WriteFrames.grant(PEERS_REGION, 1, PEERS_KEY, 1 << 18, 1 << 18))
        .time(5)
        .packet(WriteFrames.records(PEERS_REGION, 1, PEERS_KEY, 1))
        .packet(FarSide.ackUpTo(4))
        .packet(WriteFrames.ack(PEERS_REGION, 1, PEERS_KEY, 1 << 18, 0))
        .packet(WriteFrames.grant(PEERS_REGION + 1, 1, PEERS_KEY + 1, 1 << 18, 1 << 10, 100))
        .packet(WriteFrames.revoke(PEERS_REGION + 1, PEERS_KEY + 1))
        .time(250);
  }

  private static PeerInput streams() {
    long id = TransferIds.of(6);
    return new PeerInput()
        .packet(FlowFrames.opening(id, PeerStage.TAKE.id(), StreamPattern.BIDIRECTIONAL))
        .packet(FlowFrames.data(id, 0, 0, 0, 100), FlowFrames.data(id, 1, 1, 4, 100))
        .packet(FlowFrames.data(id, 2, 1, 2, 100))
        .packet(credit(id, 1))
        .packet(FlowFrames.close(id, 0, 3, 300))
        .packet(FlowFrames.responseCloseAck(id))
        .time(20);
  }

  private static PeerInput ownStream() {
    long id = TransferIds.of(2);
    return new PeerInput()
        .packet(credit(id, 0))
        .packet(FlowFrames.responseClose(id), FlowFrames.responseClose(TransferIds.of(1)))
        .packet(FlowFrames.responseCloseAck(id))
        .time(20);
  }

  private static byte[] twice(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] drain(int flags) {
    UnsafeBuffer frame = new UnsafeBuffer(new byte[64]);
    DrainEncoder encoder = new DrainEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.flags((short) flags);
    return FarSide.framed(
        frame, encoder.limit(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
  }

  private static byte[] credit(long id, int flags) {
    UnsafeBuffer frame = new UnsafeBuffer(new byte[64]);
    StreamCreditEncoder encoder = new StreamCreditEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(id).elements(100).bytes(100_000).flags((short) flags);
    return FarSide.framed(
        frame, encoder.limit(), StreamCreditEncoder.BLOCK_LENGTH, StreamCreditEncoder.TEMPLATE_ID);
  }

  @MethodSource("seeds")
  @FuzzTest
  void shouldTakeDropOrEndThePath(byte[] input) throws DriverException {
    STAGE.play(input);
  }
}
