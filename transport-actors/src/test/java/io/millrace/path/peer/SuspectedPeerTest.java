package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.RegionState;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.WriteNotifyEncoder;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fate of unreadable fills that a peer wrote, while the peer does not answer. */
class SuspectedPeerTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final int K64 = 64 << 10;
  private static final int PIECE_BYTES = 100;
  private static final long STEP_NS = 1_000_000;
  private static final int SUSPECTED_MS = 400;
  private static final String REGIONS =
      "millrace.regions { sizes = [64 KiB], counts = [2], reserve = 0 }\n";

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), REGIONS, AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final RegionPool pool = lab.services.regions().pool();
  private final CompletableFuture<BodyTarget> target = new CompletableFuture<>();
  private PeerPath path;

  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] bytes, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {}
  }

  /** The peer has both regions. */
  @BeforeEach
  void grant() throws Exception {
    lab.routes.add(STORE, (peer, priority, headers, bytes) -> target);
    path = lab.open(lab.link(1), 1, true);
    arrive(far.packet(WriteFrames.request(1, 3, 2 * K64, K64)));
    assertEquals(2, path.regions().holder().regionCount());
  }

  private void arrive(byte[] datagram) {
    lab.endpoint.arrivals.add(datagram);
    lab.turns(1, STEP_NS);
  }

  /** Writes and announces a piece of a body that begins at this position, in the region. */
  private void write(int region, long position) {
    WriteFrames.Body body = WriteFrames.Body.of(TransferIds.of(1), STORE.id(), 3 * K64);
    long key = pool.region(region).key();
    byte[] notice = WriteFrames.notify(body, region, 1, key, PIECE_BYTES, 16, 16);
    SegmentBuffer frame = new SegmentBuffer(notice);
    frame.putLong(
        FrameStart.LENGTH + WriteNotifyEncoder.positionEncodingOffset(),
        position,
        ByteOrder.LITTLE_ENDIAN);
    frame.putLong(
        FrameStart.LENGTH + WriteNotifyEncoder.bufferIdEncodingOffset(),
        1 + region,
        ByteOrder.LITTLE_ENDIAN);
    frame.putByte(FrameStart.LENGTH + WriteNotifyEncoder.flagsEncodingOffset(), (byte) 0);
    arrive(far.packet(notice));
    byte[] chunk = WriteFrames.chunk(region, 1, key, 0, PIECE_BYTES);
    arrive(far.chunkPacket(1, chunk, new byte[PIECE_BYTES]));
    assertEquals(RegionState.CONSUMING, state(region));
  }

  private RegionState state(int region) {
    return pool.region(region).state();
  }

  /** No other peer could have the region's memory until the path fails. */
  @Test
  void shouldGiveBackWhatCannotBeOpenedBeforeItIsHeardOf() {
    write(0, K64);
    lab.turns(SUSPECTED_MS, STEP_NS);
    assertEquals(RegionState.FREE, state(0));
    assertFalse(path.packets().isEnded());
  }

  /** The sealed part of the peer's packets is intact: the peer is alive. */
  @Test
  void shouldNotSuspectAPeerWhosePacketsLoseTheirEnds() {
    write(0, K64);
    byte[] chunk = WriteFrames.chunk(1, 1, pool.region(1).key(), 0, PIECE_BYTES);
    for (int i = 0; i < 8; i++) {
      lab.turns(SUSPECTED_MS / 4, STEP_NS);
      arrive(far.chunkPacket(1, chunk, new byte[PIECE_BYTES - 1]));
    }
    assertEquals(RegionState.CONSUMING, state(0));
    assertEquals(8, lab.services.context().counters().packetsNotTaken);
  }

  /** The peer has no valid token left, and would never get a token for the missing bytes. */
  @Test
  void shouldGiveBackWhatWaitsBehindAGapThatNothingIsLeftToFill() throws Exception {
    write(0, 0);
    write(1, 2L * K64);
    lab.turns(SUSPECTED_MS, STEP_NS);
    assertEquals(RegionState.REVOKING, state(0), "its target takes its time");
    assertEquals(RegionState.REVOKING, state(1));
    target.complete(new Nowhere());
    final PeerPath other = lab.open(lab.link(2), 2, true);
    arrive(new FarSide(2, false).packet(WriteFrames.request(1, 3, K64, K64)));
    lab.turns(SUSPECTED_MS, STEP_NS);
    assertEquals(other.regions().holder(), pool.region(0).holder());
    assertEquals(RegionState.REVOKING, state(1));
    arrive(far.packet(WriteFrames.request(2, 3, 2 * K64, K64)));
    arrive(far.packet(WriteFrames.request(3, 3, 2 * K64, K64)));
    lab.turns(1, STEP_NS);
    assertEquals(RegionState.QUARANTINED, state(1));
    assertFalse(path.packets().isEnded());
  }
}
