package io.millrace.path.region;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.InboundFill;
import io.millrace.crypto.AeadProviders;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.PathBodies;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TransferIds;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.peer.WriteFrames;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.RegionRevokeDecoder;
import io.millrace.wire.codec.TransferAckDecoder;
import io.millrace.wire.codec.WriteNotifyEncoder;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.agrona.collections.IntArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages to a sender about an announced fill without further writes. */
class AnnouncedFillTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int K64 = 64 << 10;
  private static final long STEP_NS = 100_000;
  private static final String REGIONS =
      "millrace.regions.sizes = [256 KiB]\nmillrace.regions.counts = [1]\n";

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), REGIONS, AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final RegionPool pool = lab.services.regions().pool();
  private final ReceiveRegion region = pool.region(0);
  private PeerPath path;

  @BeforeEach
  void grant() throws Exception {
    // The serving application never names a target for the bytes.
    lab.routes.add(STORE, (peer, priority, headers, bytes) -> new CompletableFuture<>());
    lab.routes.add(ECHO, call -> call.reply(new SegmentBuffer(new byte[1]), 0, 1));
    path = lab.open(lab.link(1), 1, true);
    arrive(WriteFrames.request(1, 3, K64, K64));
    assertEquals(K64, region.authorisedBytes());
    lab.endpoint.sent.clear();
  }

  private void arrive(byte[] frame) {
    lab.endpoint.arrivals.add(far.packet(frame));
    lab.turns(1, STEP_NS);
  }

  private byte[] notice(long key) {
    return WriteFrames.notify(
        WriteFrames.Body.of(TransferIds.of(1), STORE.id(), K64), 0, 1, key, K64, 16, 16);
  }

  /** Templates of all frames sent since the last question. */
  private IntArrayList told() {
    lab.turns(30, STEP_NS);
    IntArrayList all = new IntArrayList();
    lab.endpoint.sent.forEach(datagram -> far.templates(datagram).forEach(all::addInt));
    lab.endpoint.sent.clear();
    return all;
  }

  @Test
  void shouldBeToldAsBestEffortThatAnUnusedTokenIsVoid() {
    pool.revoke(region, lab.nowNs, lab.services.regions());
    path.packets().touch();
    IntArrayList told = told();
    assertTrue(told.containsInt(RegionRevokeDecoder.TEMPLATE_ID));
    assertFalse(told.containsInt(TransferAckDecoder.TEMPLATE_ID));
  }

  @Test
  void shouldBeToldForCertainThatTheRegionIsTakenBack() {
    arrive(notice(region.key()));
    pool.revoke(region, lab.nowNs, lab.services.regions());
    path.packets().touch();
    assertTrue(told().containsInt(TransferAckDecoder.TEMPLATE_ID));
  }

  @Test
  void shouldBeToldForCertainAndOnceThatTheKeyWasVoid() {
    long key = region.key();
    pool.revoke(region, lab.nowNs, lab.services.regions());
    told();
    arrive(notice(key));
    arrive(notice(key));
    IntArrayList told = told();
    assertTrue(told.containsInt(TransferAckDecoder.TEMPLATE_ID));
    assertFalse(told.containsInt(RegionRevokeDecoder.TEMPLATE_ID));
  }

  @Test
  void shouldEndThePathOfOneWhoSaysThatANicHasWrittenWhereNoneCan() {
    byte[] notice = notice(region.key());
    notice[FrameStart.LENGTH + WriteNotifyEncoder.flagsEncodingOffset()] |= WriteFlags.PLACED;
    arrive(notice);
    assertTrue(path.packets().isEnded());
    assertEquals(0, lab.services.context().counters().bodyBytesReceived);
  }

  @Test
  void shouldEraseTheKeyOfAFillThatIsTakenBackBeforeItIsWhole() {
    arrive(notice(region.key()));
    InboundFill fill = assertInstanceOf(InboundFill.class, region.attachment());
    Arrays.fill(fill.dataKey(16), (byte) 7);

    pool.revoke(region, lab.nowNs, lab.services.regions());

    assertNull(region.attachment());
    assertSame(fill, lab.services.regions().takeFill());
    assertArrayEquals(new byte[16], fill.dataKey(16));
  }

  /** The sender gives the body up, or learns too late that the body is not wanted. */
  @Test
  void shouldLetGoAtOnceWhatIsAnnouncedOfABodyThatHasFailed() {
    arrive(notice(region.key()));
    PathBodies bodies = path.calls().bodies();
    path.regions().discardAllOf(bodies.begun(TransferIds.of(1), false));
    assertEquals(2, region.fill());

    arrive(
        WriteFrames.notify(
            WriteFrames.Body.of(TransferIds.of(1), STORE.id(), K64),
            0,
            2,
            region.key(),
            K64,
            16,
            16));

    assertEquals(3, region.fill(), "nothing of it has come, and nobody waits for it");
  }

  /**
   * The sender has given the body up; the sender's message about the end may come much later, or
   * never.
   */
  @Test
  void shouldForgetABodyWhoseSlotAnotherCallHas() {
    arrive(notice(region.key()));
    assertFalse(path.calls().bodies().isIdle());
    arrive(FarSide.request(TransferId.of(0, 2, 1), ECHO.id(), new byte[1]));
    assertTrue(path.calls().bodies().isIdle());
    assertEquals(2, region.fill());
  }
}
