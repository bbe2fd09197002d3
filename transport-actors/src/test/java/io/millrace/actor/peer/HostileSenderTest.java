package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.BodyTarget;
import io.millrace.crypto.AeadProviders;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.Route;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer with a real path and the right keys writes what it may not: no byte lands, each attempt is
 * counted and told, and another peer's transfer goes on.
 */
class HostileSenderTest {
  private static final Route STORE = Route.of("store");
  private static final Route ECHO = Route.of("echo");
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
  private final PathCounters counters = lab.services.counters();
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
          call.reply(new UnsafeBuffer(new byte[8]), 0, 8);
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

  /** The honest peer and this node exchange what they have, so many times. */
  private void exchange(int turns) {
    for (int i = 0; i < turns; i++) {
      honest.turns(1, STEP_NS);
      lab.endpoint.arrivals.addAll(honest.endpoint.sent);
      honest.endpoint.sent.clear();
      lab.turns(1, STEP_NS);
      for (byte[] datagram : lab.endpoint.sent) {
        if (PacketHeader.pathId(new UnsafeBuffer(datagram), 0) == HONEST_PATH) {
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
    assertFalse(path.isEnded());
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
    chunk(isCovered, region, 1, key + 1, 0, 100);
    chunk(isCovered, region, 1, 0, 0, 100);
    chunk(isCovered, others.index(), 1, others.key(), 0, 100);
    chunk(isCovered, others.index(), 1, key, 0, 100);
    chunk(isCovered, 9_999, 1, key, 0, 100);
    chunk(isCovered, -1, 1, key, 0, 100);
    chunk(isCovered, region, 1, key, (256 << 10) - 50, 100);
    chunk(isCovered, region, 1, key, 0xFFFF_FFFFL, 100);
    chunk(isCovered, region, 1, key, 0xFFFF_FFC0L, 100);
    chunk(isCovered, region, 1, key, K64 - 50, 100);
    chunk(isCovered, region, 1, key, K64, 1);
    chunk(isCovered, region, 2, key, 0, 100);
    chunk(isCovered, region, -1, key, 0, 100);
    chunk(isCovered, region, 0, key, 0, 100);
    chunk(isCovered, region, 1, key, 0, 0);
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
    chunk(own.index(), 1, key, 0, 100);
    assertRefused(1);
    byte[] notice =
        WriteFrames.notify(
            WriteFrames.Body.of(id(1), STORE.id(), 100), own.index(), 1, key, 100, 16, 16);
    attack(far.packet(notice));
    lab.turns(10, 20_000_000);
    chunk(own.index(), 1, key, 0, 100);
    assertRefused(2);
    assertHonestIsServed();
  }

  @Test
  void shouldIgnoreAndCountChunksOfAnEarlierFill() {
    long key = own.key();
    attack(
        far.packet(
            WriteFrames.notify(
                WriteFrames.Body.of(id(1), STORE.id(), 100), own.index(), 1, key, 0, 0, 0)));
    assertEquals(2, own.fill());
    chunk(own.index(), 1, key, 0, 100);
    assertEquals(1, counters.chunksStale);
    assertRefused(0);
    assertHonestIsServed();
  }

  @Test
  void shouldRefuseForgedNotifications() {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 100);
    int region = own.index();
    long key = own.key();
    int[][] places = {{9_999, 1}, {-1, 1}, {others.index(), 1}, {region, 2}, {region, -1}};
    for (int[] place : places) {
      attack(far.packet(WriteFrames.notify(body, place[0], place[1], key, 100, 16, 16)));
    }
    attack(far.packet(WriteFrames.notify(body, others.index(), 1, others.key(), 100, 16, 16)));
    attack(far.packet(WriteFrames.notify(body, region, 1, key + 1, 100, 16, 16)));
    attack(far.packet(WriteFrames.notify(body, region, 1, key, K64 + 1, 16, 32)));
    assertRefused(8);
    byte[] right = far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 16));
    attack(right);
    attack(far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 16)));
    assertEquals(1, counters.duplicateNotifications);
    long dropped = counters.duplicatesDropped;
    attack(right);
    assertEquals(dropped + 1, counters.duplicatesDropped);
    assertEquals(1, counters.duplicateNotifications);
    // What was announced as 100 bytes takes no more, though more was authorised before.
    chunk(region, 1, key, 100, 100);
    assertRefused(9);
    assertHonestIsServed();
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
      attack(far.packet(WriteFrames.reset(-1, flags, 1)));
    }
    assertRefused(0);
    assertEquals(0, lab.events.count("ProtocolViolation"));
    assertHonestIsServed();
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
    assertFalse(path.isEnded());
    assertNothingLanded();
    assertHonestIsServed();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
  void shouldEndThePathOfAPeerWhosePacketsAreMalformed(int which) {
    WriteFrames.Body body = WriteFrames.Body.of(id(1), STORE.id(), 100);
    attack(malformed(which, body, own.index(), own.key()));
    assertEquals(1, lab.events.count("ProtocolViolation"), lab.events.lines().toString());
    assertEquals(0, lab.events.count("PeerFault"), lab.events.lines().toString());
    assertTrue(path.isEnded());
    assertNothingLanded();
    assertHonestIsServed();
  }

  private byte[] malformed(int which, WriteFrames.Body body, int region, long key) {
    byte[] chunk = WriteFrames.chunk(region, 1, key, 0, 100);
    long id = body.transferId();
    long route = body.route();
    return switch (which) {
      case 0 -> far.chunkPacket(1, new byte[chunk.length], new byte[100]);
      case 1 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 0));
      case 2 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 15));
      case 3 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 32));
      case 4 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 15, 16));
      case 5 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 33, 16));
      case 6 -> far.packet(WriteFrames.notify(body, region, 1, key, (1 << 20) + 1, 16, 272));
      case 7 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, 100, 0, 8), region, 1, key, 100, 16, 16));
      case 8 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, -1, 0x7FFF_FFFFL, 3),
                  region,
                  1,
                  key,
                  100,
                  16,
                  16));
      case 9 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, 50, 51, 3), region, 1, key, 100, 16, 16));
      case 10 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, -2, 0, 3), region, 1, key, 100, 16, 16));
      case 11 -> far.packet(WriteFrames.ack(1, 1, 1, 1, 200));
      case 12 -> far.packet(WriteFrames.reset(id, 0, 200));
      case 13 -> far.packet(WriteFrames.coveredChunk(region, 1, key, 0, 100, 99));
      case 14 -> far.packet(WriteFrames.coveredChunk(region, 1, key, 0, 0xFFFF_FFFFL, 100));
      default -> far.packet(WriteFrames.request(2, 8, 1, 1));
    };
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
