package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.region.NotifyVerdict;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.WriteVerdict;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.WriteFlags;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer with a real path and the right keys writes to forbidden places: no byte lands, each
 * attempt is counted and reported, and another peer's transfer goes on.
 */
class HostileSenderTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final byte PATTERN = 0x5A;
  private static final int K64 = 64 << 10;
  private static final int HONEST_BYTES = 200_000;
  private static final long STEP_NS = 100_000;
  private static final long HONEST_PATH = WorkerLab.terms(2, true, 1).secret().pathId();
  private static final String REGIONS =
      "millrace.regions.sizes = [256 KiB]\nmillrace.regions.counts = [8]\n";

  private final WorkerLab lab = lab();
  private final WorkerLab honest = lab();
  private final FarSide far = new FarSide(1, false);
  private final List<ByteArrayOutputStream> stored = new ArrayList<>();
  private final byte[] honestBytes = new byte[HONEST_BYTES];
  private final PathCounters counters = lab.services.context().counters();
  private final RegionPool pool = lab.services.regions().pool();
  private PeerPath path;
  private TestCall honestCall;
  private ReceiveRegion own;
  private ReceiveRegion others;

  private static WorkerLab lab() {
    return new WorkerLab(new FakeEndpoint(16, 64), REGIONS, AeadProviders.discover().select(0));
  }

  /** Both peers have a region; nothing was written yet. */
  @BeforeEach
  void grantARegionToEach() throws Exception {
    lab.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) ->
            CompletableFuture.completedFuture(new Store(stored)));
    lab.routes.add(
        ECHO,
        call -> {
          byte[] payload = new byte[call.payloadLength()];
          call.buffer().getBytes(call.payloadOffset(), payload);
          assertArrayEquals(honestBytes, payload);
          call.reply(new SegmentBuffer(new byte[8]), 0, 8);
        });
    path = lab.open(lab.link(1), 1, true);
    PeerPath toHonest = lab.open(lab.link(2), 2, true);
    PeerLink link = honest.link(2);
    honest.open(link, 2, false);
    new Random(1).nextBytes(honestBytes);
    honestCall = new TestCall(link, ECHO.id(), honestBytes, false);
    link.onCall(honestCall, honest.nowNs);
    exchange(1);
    attack(far.packet(WriteFrames.request(1, 3, K64, K64)));
    own = regionOf(path);
    others = regionOf(toHonest);
    assertEquals(K64, own.authorisedBytes());
    for (int i = 0; i < pool.regionCount(); i++) {
      lab.services.regions().memory(i).buffer().setMemory(0, 256 << 10, PATTERN);
    }
  }

  private ReceiveRegion regionOf(PeerPath owner) {
    for (int i = 0; i < pool.regionCount(); i++) {
      if (pool.region(i).holder() == owner.regions().holder()) {
        return pool.region(i);
      }
    }
    throw new AssertionError("no region was granted");
  }

  /** The honest peer and this node exchange their datagrams in {@code turns} turns. */
  private void exchange(int turns) {
    for (int i = 0; i < turns; i++) {
      honest.turns(1, STEP_NS);
      lab.endpoint.arrivals.addAll(honest.endpoint.sent);
      honest.endpoint.sent.clear();
      lab.turns(1, STEP_NS);
      for (byte[] datagram : lab.endpoint.sent) {
        if (PacketHeader.pathId(new SegmentBuffer(datagram), 0) == HONEST_PATH) {
          honest.endpoint.arrivals.add(datagram);
        }
      }
      lab.endpoint.sent.clear();
    }
  }

  private void attack(byte[] datagram) {
    lab.endpoint.arrivals.add(datagram);
    lab.turns(1, STEP_NS);
  }

  private void chunk(int region, int fill, long key, long at, int length) {
    chunk(false, region, fill, key, at, length);
  }

  /**
   * Checks that a chunk of the peer's first fill is refused for this reason, and that the node
   * counts and reports the refusal.
   */
  private void refuse(
      boolean isCovered, WriteVerdict expected, int region, long key, long at, int length) {
    refuse(isCovered, expected, region, 1, key, at, length);
  }

  private void refuse(
      boolean isCovered,
      WriteVerdict expected,
      int region,
      int fill,
      long key,
      long at,
      int length) {
    long before = pool.counters().writes(expected);
    chunk(isCovered, region, fill, key, at, length);
    assertEquals(before + 1, pool.counters().writes(expected), expected.name());
    assertRejectionTold(expected.name(), region);
  }

  /**
   * Checks that a notification is refused for this reason without a new body, and that the node
   * counts and reports the refusal.
   */
  private void refuse(
      NotifyVerdict expected, WriteFrames.Body body, int region, int fill, long key, int length) {
    long before = pool.counters().notifications(expected);
    attack(
        far.packet(
            WriteFrames.notify(
                body, region, fill, key, length, 16, 16 * ((length + K64 - 1) / K64))));
    assertEquals(before + 1, pool.counters().notifications(expected), expected.name());
    assertRejectionTold(expected.name(), region);
    assertNothingBegun();
  }

  private void assertRejectionTold(String reason, int region) {
    assertEquals(
        "WriteRejected worker=0 peer=%s reason=%s region=%d".formatted(path.peer(), reason, region),
        lab.events.lines().getLast());
  }

  private void assertNothingBegun() {
    assertEquals(0, counters.requestsServed);
    assertEquals(0, path.calls().served().openCount());
    assertEquals(0, path.calls().bodies().servedCount());
    assertTrue(stored.isEmpty());
  }

  private void chunk(boolean isCovered, int region, int fill, long key, long at, int length) {
    attack(
        isCovered
            ? far.packet(WriteFrames.coveredChunk(region, fill, key, at, length, length))
            : far.chunkPacket(
                1, WriteFrames.chunk(region, fill, key, at, length), new byte[length]));
  }

  private void assertNothingLanded() {
    byte[] bytes = new byte[256 << 10];
    byte[] pattern = new byte[bytes.length];
    Arrays.fill(pattern, PATTERN);
    for (int i = 0; i < pool.regionCount(); i++) {
      lab.services.regions().memory(i).buffer().getBytes(0, bytes);
      assertArrayEquals(pattern, bytes, "region " + i);
    }
    assertEquals(0, counters.bodyBytesReceived);
    assertTrue(stored.stream().allMatch(each -> each.size() == 0));
  }

  private void assertRefused(int attempts) {
    assertEquals(attempts, counters.writesRejected);
    assertEquals(attempts, lab.events.count("WriteRejected"));
    assertNothingLanded();
    assertFalse(path.packets().isEnded());
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }

  private void assertHonestIsServed() {
    for (int i = 0; i < 2_000 && honestCall.outcome == null; i++) {
      exchange(1);
    }
    assertEquals(CallOutcome.OK, honestCall.outcome, honestCall.text);
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRefuseEveryChunkThatItsSenderHasNoRightTo(boolean isCovered) {
    int region = own.index();
    long key = own.key();
    refuse(isCovered, WriteVerdict.WRONG_KEY, region, key + 1, 0, 100);
    refuse(isCovered, WriteVerdict.WRONG_KEY, region, 0, 0, 100);
    refuse(isCovered, WriteVerdict.NOT_OWNER, others.index(), others.key(), 0, 100);
    refuse(isCovered, WriteVerdict.NOT_OWNER, others.index(), key, 0, 100);
    refuse(isCovered, WriteVerdict.UNKNOWN_REGION, 9_999, key, 0, 100);
    refuse(isCovered, WriteVerdict.UNKNOWN_REGION, -1, key, 0, 100);
    refuse(isCovered, WriteVerdict.OUT_OF_BOUNDS, region, key, (256 << 10) - 50, 100);
    refuse(isCovered, WriteVerdict.OUT_OF_BOUNDS, region, key, 0xFFFF_FFFFL, 100);
    refuse(isCovered, WriteVerdict.OUT_OF_BOUNDS, region, key, 0xFFFF_FFC0L, 100);
    refuse(isCovered, WriteVerdict.OUT_OF_BOUNDS, region, key, 0, 0);
    refuse(isCovered, WriteVerdict.NOT_AUTHORISED, region, key, K64 - 50, 100);
    refuse(isCovered, WriteVerdict.NOT_AUTHORISED, region, key, K64, 1);
    refuse(isCovered, WriteVerdict.FUTURE_FILL, region, 2, key, 0, 100);
    refuse(isCovered, WriteVerdict.FUTURE_FILL, region, -1, key, 0, 100);
    refuse(isCovered, WriteVerdict.FUTURE_FILL, region, 0, key, 0, 100);
    assertRefused(15);
    assertHonestIsServed();
  }

  @Test
  void shouldTakeBytesUnderTheSealAsTheyAreTakenBehindIt() {
    chunk(true, own.index(), 1, own.key(), 0, 100);
    assertEquals(0, lab.services.regions().memory(own.index()).buffer().getByte(99));
    assertEquals(PATTERN, lab.services.regions().memory(own.index()).buffer().getByte(100));
    assertEquals(0, counters.writesRejected);
  }

  @Test
  void shouldRefuseWritesUnderARevokedKey() {
    long key = own.key();
    pool.revoke(own, lab.nowNs, lab.services.regions());
    refuse(false, WriteVerdict.REVOKED, own.index(), key, 0, 100);
    assertRefused(1);
    byte[] notice =
        WriteFrames.notify(
            WriteFrames.Body.of(id(1), STORE.id(), 100), own.index(), 1, key, 100, 16, 16);
    attack(far.packet(notice));
    assertEquals(1, pool.counters().notifications(NotifyVerdict.REVOKED));
    assertNothingBegun();
    lab.turns(10, 20_000_000);
    refuse(false, WriteVerdict.NOT_OWNER, own.index(), key, 0, 100);
    assertRefused(2);
    assertHonestIsServed();
  }

  @Test
  void shouldIgnoreChunksOfAnEarlierFillAndTellOfSome() {
    long key = own.key();
    attack(
        far.packet(
            WriteFrames.notify(
                WriteFrames.Body.of(id(1), STORE.id(), 100), own.index(), 1, key, 0, 0, 0)));
    assertEquals(2, own.fill());
    for (int i = 1; i <= 9; i++) {
      chunk(own.index(), 1, key, 0, 100);
      assertEquals(i, counters.chunksStale);
      assertEquals(i, pool.counters().writes(WriteVerdict.STALE_FILL));
    }
    assertStaleTold("STALE_FILL", 1, 2, 4, 8);
    assertRefused(0);
    assertHonestIsServed();
  }

  @Test
  void shouldRefuseForgedNotifications() {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 100);
    int region = own.index();
    long key = own.key();
    refuse(NotifyVerdict.FORGED_REGION, body, 9_999, 1, key, 100);
    refuse(NotifyVerdict.FORGED_REGION, body, -1, 1, key, 100);
    refuse(NotifyVerdict.FORGED_OWNER, body, others.index(), 1, key, 100);
    refuse(NotifyVerdict.FORGED_OWNER, body, others.index(), 1, others.key(), 100);
    refuse(NotifyVerdict.FORGED_KEY, body, region, 1, key + 1, 100);
    refuse(NotifyVerdict.FORGED_FILL, body, region, 2, key, 100);
    refuse(NotifyVerdict.FORGED_FILL, body, region, -1, key, 100);
    refuse(NotifyVerdict.FORGED_LENGTH, body, region, 1, key, K64 + 1);
    assertRefused(8);
    byte[] right = far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 16));
    attack(right);
    assertEquals(1, counters.requestsServed);
    assertEquals(1, path.calls().bodies().servedCount());
    for (int i = 1; i <= 5; i++) {
      attack(far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 16)));
      assertEquals(i, counters.duplicateNotifications);
    }
    assertStaleTold("DUPLICATE", 1, 2, 4);
    long dropped = counters.duplicatesDropped;
    attack(right);
    assertEquals(dropped + 1, counters.duplicatesDropped);
    assertEquals(5, counters.duplicateNotifications);
    // A fill announced as 100 bytes takes no more bytes, even after a larger authorisation.
    refuse(false, WriteVerdict.NOT_AUTHORISED, region, key, 100, 100);
    assertRefused(9);
    assertHonestIsServed();
  }

  /**
   * The node judges a notification with several fills fill by fill, and a single right fill is
   * enough.
   */
  @Test
  void shouldBeginABodyOnceOneOfItsFillsIsRight() {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 200);
    WriteFrames.Fill forged = new WriteFrames.Fill(others.index(), 1, own.key(), 100);
    WriteFrames.Fill right = new WriteFrames.Fill(own.index(), 1, own.key(), 100);
    attack(far.packet(WriteFrames.notify(body, WriteFlags.END, forged, forged)));
    assertNothingBegun();
    attack(far.packet(WriteFrames.notify(body, WriteFlags.END, forged, right)));
    assertEquals(1, counters.requestsServed);
    assertEquals(1, path.calls().bodies().servedCount());
    assertRefused(3);
    assertHonestIsServed();
  }

  @Test
  void shouldBeginABodyThatIsEmptyButNoneThatSaysNothing() {
    attack(far.packet(WriteFrames.notify(WriteFrames.Body.of(id(1), STORE.id(), 0), 0)));
    assertNothingBegun();
    attack(
        far.packet(WriteFrames.notify(WriteFrames.Body.of(id(1), STORE.id(), 0), WriteFlags.END)));
    assertEquals(1, counters.requestsServed);
    assertEquals(1, stored.size());
    assertRefused(0);
    assertHonestIsServed();
  }

  private void assertStaleTold(String reason, long... counts) {
    assertEquals(
        Arrays.stream(counts)
            .mapToObj(
                count ->
                    "StaleWrite worker=0 peer=%s reason=%s region=%d count=%d"
                        .formatted(path.peer(), reason, own.index(), count))
            .toList(),
        lab.events.lines().stream().filter(line -> line.startsWith("StaleWrite ")).toList());
  }

  @Test
  void shouldTakeNonsenseAboutTokensThatItDoesNotHave() {
    attack(far.packet(WriteFrames.ack(77, 1, 5, 1 << 20, 0)));
    attack(far.packet(WriteFrames.ack(-1, -1, -1, 0xFFFF_FFFFL, 1)));
    attack(far.packet(WriteFrames.grant(1, 1, 5, 100, 200)));
    attack(far.packet(WriteFrames.grant(1, 0, 6, 1 << 16, 1 << 16)));
    attack(far.packet(WriteFrames.grant(1, 1, 7, 0xFFFF_FFFFL, 0xFFFF_FFFFL)));
    attack(far.packet(WriteFrames.records(1, 1, 5, -1)));
    attack(far.packet(WriteFrames.revoke(3, 9)));
    attack(far.packet(WriteFrames.exhausted(99)));
    for (int flags = 0; flags < 4; flags++) {
      attack(far.packet(WriteFrames.reset(id(5), flags, 1)));
      if (flags != WriteFlags.FROM_SENDER) {
        attack(far.packet(WriteFrames.reset(-1, flags, 1)));
      }
    }
    assertRefused(0);
    assertEquals(0, lab.events.count("ProtocolViolation"));
    assertHonestIsServed();
  }

  @Test
  void shouldTakeNoCallBackThatIsBeyondTheLimitOfTransfers() {
    attack(far.packet(WriteFrames.reset(-1, WriteFlags.FROM_SENDER, 1)));
    assertEquals(1, lab.events.count("ProtocolViolation"));
    assertTrue(path.packets().isEnded());
    assertNothingLanded();
  }

  /** Behind the tag anyone can cut or add bytes: that says nothing of the peer. */
  @ParameterizedTest
  @CsvSource({"100, 0", "100, 99", "100, 101", "0, 1", "4294967295, 100"})
  void shouldDropAPacketOfChunksThatHasAnotherLengthThanItSays(long says, int has) {
    byte[] chunk = WriteFrames.chunk(own.index(), 1, own.key(), 0, says);
    byte[] datagram = far.chunkPacket(1, chunk, new byte[has]);
    attack(datagram);
    attack(datagram);
    assertEquals(0, lab.events.count("ProtocolViolation"));
    assertEquals(1, counters.authenticationFailures);
    assertEquals(1, counters.duplicatesDropped);
    assertFalse(path.packets().isEnded());
    assertNothingLanded();
    assertHonestIsServed();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
  void shouldEndThePathOfAPeerWhosePacketsAreMalformed(int which) {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 100);
    attack(MalformedWrites.packet(which, far, body, own.index(), own.key()));
    assertEquals(1, lab.events.count("ProtocolViolation"), lab.events.lines().toString());
    assertEquals(0, lab.events.count("PeerFault"), lab.events.lines().toString());
    assertTrue(path.packets().isEnded());
    assertNothingLanded();
    assertHonestIsServed();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, false", "1, 2, true", "2, 2, false"})
  void shouldEndThePathOfAPeerThatPutsABufferElsewhere(
      long bufferId, long nonce, boolean isViolation) {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 2 * K64);
    WriteFrames.Fill fill = new WriteFrames.Fill(own.index(), 1, own.key(), K64);
    attack(far.packet(WriteFrames.named(body, fill, 1, 1)));
    assertFalse(path.packets().isEnded());
    attack(far.packet(WriteFrames.named(body, fill, bufferId, nonce)));
    assertEquals(isViolation, path.packets().isEnded());
    assertEquals(isViolation ? 1 : 0, counters.protocolViolations);
    assertEquals(isViolation ? 1 : 0, lab.events.count("ProtocolViolation"));
    assertEquals(isViolation ? 0 : 1, counters.duplicateNotifications);
    assertHonestIsServed();
  }

  private static long id(int slot) {
    return TransferId.of(0, 1, slot);
  }

  private static final class Store implements BodyTarget {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Store(List<ByteArrayOutputStream> all) {
      all.add(bytes);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes.write(from, offset, length);
    }

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {}
  }
}
