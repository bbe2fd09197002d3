package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.RegionMemory;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.region.NotifyVerdict;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.RegionPoolSettings;
import io.millrace.protocol.region.RegionReserve;
import io.millrace.protocol.region.RegionSink;
import io.millrace.protocol.region.RegionTimes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules about regions, over a real pool whose owner breaks them. */
final class RegionShadowTest {
  private static final int SIZE_BYTES = 64 << 10;
  private static final long QUARANTINE_NS = 1_000;

  private final List<String> violations = new ArrayList<>();
  private final Coverage coverage = new Coverage();
  private long nowNs = 5_000;
  private long nextKey = 40;
  private final RegionShadow shadow =
      new RegionShadow(() -> nowNs, QUARANTINE_NS, 0, new GrantedKeys(), coverage, violations::add);
  private final Sink sink = new Sink();
  private final RegionPool pool =
      new RegionPool(
          new RegionPoolSettings(
              List.of(SIZE_BYTES),
              List.of(1),
              SIZE_BYTES,
              SIZE_BYTES,
              SIZE_BYTES,
              RegionReserve.NONE,
              true,
              new RegionTimes(1_000_000, 2_000_000, 2_000_000, QUARANTINE_NS)),
          (region, endpoint) -> nextKey++);
  private final RegionHolder holder = pool.open("one");
  private final RegionMemory memory = RegionMemory.onHeap(SIZE_BYTES);

  /** Passes the reports of a worker to the model. */
  private final class Sink implements RegionSink {
    @Override
    public void onGranted(RegionHolder to, ReceiveRegion region) {
      shadow.onGranted(to, region);
    }

    @Override
    public void onAuthorised(RegionHolder to, ReceiveRegion region) {
      shadow.onAuthorised(region);
    }

    @Override
    public void onReused(RegionHolder to, ReceiveRegion region) {
      shadow.onReused(region);
    }

    @Override
    public void onRevoked(RegionHolder to, int region, long key, int consumedFill) {}

    @Override
    public void onExhausted(RegionHolder to) {}

    @Override
    public void onRepair(RegionHolder to, ReceiveRegion region, long records) {}

    @Override
    public void onReleased(ReceiveRegion region) {
      shadow.onReleased(region);
    }
  }

  private ReceiveRegion granted(int bytes) {
    pool.onDemand(holder, 3, bytes, bytes);
    assertEquals(1, pool.grant(nowNs, sink));
    return pool.region(0);
  }

  private void land(ReceiveRegion region, int fill, long key, int at, int length) {
    if (pool.onWritten(region, at, length, nowNs) > 0) {
      shadow.onLanding(holder, region, fill, key, at, length);
      memory.put(at, new SegmentBuffer(new byte[length]), 0, length);
    }
  }

  private ReceiveRegion written(int bytes) {
    ReceiveRegion region = granted(bytes);
    land(region, 1, region.key(), 0, bytes);
    NotifyVerdict verdict = pool.onNotified(holder, 0, 1, region.key(), bytes);
    assertEquals(NotifyVerdict.OK, verdict);
    return region;
  }

  private ReceiveRegion reading(int bytes) {
    ReceiveRegion region = written(bytes);
    pool.onConsuming(region);
    shadow.onConsuming(region, memory);
    return region;
  }

  private void assertViolation(String what) {
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.getFirst().startsWith("region 0 is " + what), violations::toString);
  }

  @Test
  void shouldFollowARegionThroughItsLife() {
    ReceiveRegion region = reading(100);
    shadow.onConsumed(region, memory);
    pool.onConsumed(region, nowNs, sink);
    pool.revoke(region, nowNs, sink);
    nowNs += QUARANTINE_NS;
    pool.onDeadline(nowNs, sink);
    granted(50);
    assertEquals(List.of(), violations);
    assertEquals(1, coverage.hits(Coverage.Mark.REGION_REUSED));
    assertEquals(1, coverage.hits(Coverage.Mark.REVOKED_UNUSED));
    assertEquals(1, coverage.hits(Coverage.Mark.REGION_GRANTED_AGAIN));
  }

  @Test
  void shouldFindBytesUnderAnotherKey() {
    ReceiveRegion region = granted(100);
    land(region, 1, region.key() + 1, 0, 10);
    assertViolation("written as another fill");
  }

  @Test
  void shouldFindBytesOfAFillThatIsOver() {
    ReceiveRegion region = reading(100);
    shadow.onConsumed(region, memory);
    pool.onConsumed(region, nowNs, sink);
    land(region, 1, region.key(), 0, 10);
    assertViolation("written as another fill");
  }

  @Test
  void shouldFindBytesOfAnother() {
    ReceiveRegion region = granted(100);
    pool.onWritten(region, 0, 10, nowNs);
    shadow.onLanding(pool.open("two"), region, 1, region.key(), 0, 10);
    assertViolation("written by another than its holder");
  }

  @Test
  void shouldFindBytesBeyondWhatWasAuthorised() {
    ReceiveRegion region = granted(100);
    land(region, 1, region.key(), 95, 6);
    assertViolation("written beyond its bounds");
  }

  @Test
  void shouldFindBytesAfterTheKeyWasVoid() {
    ReceiveRegion region = granted(100);
    pool.revoke(region, nowNs, sink);
    shadow.onLanding(holder, region, 1, region.key(), 0, 10);
    assertTrue(violations.getFirst().startsWith("region 0 is written while VOID"));
  }

  @Test
  void shouldFindARegionThatIsGrantedBeforeItRested() {
    ReceiveRegion region = granted(100);
    // As if the key had become void long ago.
    pool.revoke(region, nowNs - QUARANTINE_NS, sink);
    pool.onDeadline(nowNs, sink);
    granted(50);
    assertViolation("granted before it rested");
  }

  @Test
  void shouldFindAKeyThatComesTwice() {
    ReceiveRegion region = granted(100);
    pool.revoke(region, nowNs, sink);
    nowNs += QUARANTINE_NS;
    pool.onDeadline(nowNs, sink);
    nextKey--;
    granted(50);
    assertViolation("granted under a key that was used before");
  }

  @Test
  void shouldFindMemoryThatChangesWhileItIsRead() {
    ReceiveRegion region = reading(100);
    memory.put(99, new SegmentBuffer(new byte[] {1}), 0, 1);
    shadow.onConsumed(region, memory);
    assertViolation("changed while it was read");
  }

  @Test
  void shouldFindARegionThatIsReadTwice() {
    ReceiveRegion region = reading(100);
    shadow.onConsuming(region, memory);
    assertViolation("read while READING");
  }
}
