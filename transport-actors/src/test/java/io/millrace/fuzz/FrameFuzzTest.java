package io.millrace.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.millrace.driver.DriverException;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.ChallengeFrames;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.TransferIds;
import io.millrace.path.peer.WriteFrames;
import io.millrace.path.stream.FlowFrames;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.DrainEncoder;
import io.millrace.wire.codec.StreamCreditEncoder;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A peer with the right keys sends any frames: the path takes a frame, drops a frame, or ends with
 * a violation; rule P-7. No other exception comes out, and all memory of the path comes back.
 */
class FrameFuzzTest {
  private static final long OWN_CALL = TransferIds.of(0);
  private static final long KEY = PeerInput.GRANTED_KEY;
  private static final int REGION = PeerInput.GRANTED_REGION;
  private static final int PEERS_REGION = 3;
  private static final long PEERS_KEY = 99;

  private static final PeerStage STAGE = new PeerStage();

  /**
   * Each kind of frame at least once, as {@link SeedsTest} checks, in an order that takes a
   * transfer of each kind to its end.
   */
  static Stream<byte[]> seeds() {
    return Stream.of(
            paths(),
            secrets(),
            retirements(),
            calls(),
            challenges(),
            causality(),
            reads(),
            writes(),
            streams(),
            ownStream(),
            pieces(),
            violation())
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

  /** A peer's frames about the secrets and the endpoints of a path. */
  private static PeerInput secrets() {
    long pathId = FarSide.pathId(1);
    return new PeerInput()
        .packet(PathFrames.token(pathId, 1, 2), PathFrames.token(pathId + 1, 3, 4))
        .packet(PathFrames.lost(pathId + 1), PathFrames.lost(pathId))
        .packet(PathFrames.rail(1, 0, 0), PathFrames.rail(2, 0, 1), PathFrames.rail(1, 255, 0))
        .time(50);
  }

  private static PeerInput retirements() {
    return new PeerInput()
        .packet(FarSide.probe())
        .retirement(PacketHeader.OF_CONTROL_KEYS, PathFrames.retireControlKey(0))
        .packet(FarSide.probe())
        .retirement(
            PacketHeader.OF_DATA_KEYS,
            PathFrames.retireDataKey(1, 2),
            PathFrames.retireDataKey(3, 4))
        .time(10);
  }

  private static PeerInput challenges() {
    return new PeerInput()
        .packet(ChallengeFrames.challenge(7, OWN_CALL, TransferIds.of(1), TransferIds.of(9)))
        .packet(ChallengeFrames.response(7, OWN_CALL), ChallengeFrames.response(8, 9))
        .packet(ChallengeFrames.reset(OWN_CALL))
        .time(50);
  }

  /**
   * Requests and openings of streams that name earlier transfers: an arrived transfer, and a
   * transfer that never arrives.
   */
  private static PeerInput causality() {
    long echo = PeerStage.ECHO.id();
    long take = PeerStage.TAKE.id();
    int stream = StreamPattern.BIDIRECTIONAL;
    return new PeerInput()
        .packet(PathFrames.causal(TransferIds.of(1), echo, StreamPattern.UNARY, 1))
        .packet(PathFrames.causal(TransferIds.of(2), echo, StreamPattern.UNARY, 4, 1, 3))
        .packet(PathFrames.causal(TransferIds.of(3), take, stream, 5, 1, 4))
        .packet(PathFrames.causal(TransferIds.of(4), take, stream, 6))
        .packet(FlowFrames.data(TransferIds.of(3), 0, 0, 0, 100))
        .packet(WriteFrames.reset(TransferIds.of(2), 2, 1), WriteFrames.reset(OWN_CALL, 3, 1))
        .time(50);
  }

  /** A request in two pieces, the last one twice. */
  private static PeerInput pieces() {
    byte[] request = FarSide.request(TransferIds.of(1), PeerStage.ECHO.id(), new byte[1_500]);
    byte[] last = PathFrames.piece(request, 1_024);
    return new PeerInput().packet(last, last).packet(PathFrames.piece(request, 0)).time(50);
  }

  private static PeerInput calls() {
    return new PeerInput()
        .packet(FarSide.request(TransferIds.of(1), PeerStage.ECHO.id(), new byte[40]))
        .packet(FarSide.request(TransferIds.of(2), 77, new byte[40]))
        .packet(FarSide.response(OWN_CALL, 0, new byte[10]))
        .packet(WriteFrames.reset(TransferIds.of(1), 1, 1), WriteFrames.reset(OWN_CALL, 2, 2))
        .time(50);
  }

  /** The peer writes a body into its granted region. */
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

  /** This node writes into regions granted by the peer. */
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
        .packet(FlowFrames.close(id, 0, 3, 3L * InlineCost.of(0, 100)))
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

  /** The peer acknowledges the close of an open flow. */
  private static PeerInput violation() {
    long id = TransferIds.of(6);
    return new PeerInput()
        .packet(FlowFrames.opening(id, PeerStage.TAKE.id(), StreamPattern.BIDIRECTIONAL))
        .packet(FlowFrames.responseCloseAck(id))
        .packet(PathFrames.slots(0, 8, 1_024));
  }

  private static byte[] twice(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] drain(int flags) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    DrainEncoder encoder = new DrainEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.flags((short) flags);
    return FarSide.framed(
        frame, encoder.limit(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
  }

  private static byte[] credit(long id, int flags) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
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
