package io.millrace.path.region;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.InboundFill;
import io.millrace.config.PendingSettings;
import io.millrace.config.RegionSettings;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.event.RecordingEvents;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.protocol.region.NotifyVerdict;
import io.millrace.protocol.region.ReceiveRegion;
import io.millrace.protocol.region.RegionHolder;
import io.millrace.protocol.region.RegionPool;
import io.millrace.protocol.region.RegionSink;
import io.millrace.protocol.region.RegionState;
import io.millrace.protocol.region.WriteToken;
import io.millrace.protocol.schedule.TimingWheel;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receive regions whose owner has stopped are known to no NIC and granted to no peer. */
class WorkerRegionsTest {
  private static final RegionSettings SETTINGS =
      TransportSettings.parse(
              "millrace.handshake.provider = psk, millrace.handshake.psk = "
                  + "\"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\"")
          .regions();

  private static final long LEAST_BYTES = 9 << 10;
  private static final long SOON_NS = 11_000_000;

  private final Registered remote = new Registered();
  private final TimingWheel wheel = new TimingWheel(1 << 19, 512, 0);
  private final WorkerRegions regions =
      new WorkerRegions(
          SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(remote), memory -> {}, 1, what -> {});

  private static final class Registered implements RemoteMemory {
    private int made;
    private int live;
    private int limit = Integer.MAX_VALUE;

    @Override
    public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException {
      if (made == limit) {
        throw new DriverException(
            "cannot lock more memory", DriverException.Kind.LOCKED_MEMORY_LIMIT);
      }
      live++;
      return new MemoryRegion(memory, ++made, 0, made);
    }

    @Override
    public void deregister(MemoryRegion region) {
      live--;
    }

    @Override
    public boolean postWrite(int destination, RemoteWrite write, long context) {
      throw new UnsupportedOperationException("receives only");
    }
  }

  @Test
  void shouldRegisterWhatHasRestedAnewWhileItIsOpen() {
    int made = remote.made;

    regions.onRested(regions.pool().region(0));

    assertEquals(made + 1, remote.made);
    assertEquals(regions.pool().regionCount(), remote.live);
  }

  @Test
  void shouldGiveBackWhatWasWrittenWhenTheLastRegionRests() {
    WorkerRegions copied =
        new WorkerRegions(
            SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(), memory -> {}, 1, what -> {});
    SegmentBuffer written = copied.memory(0).buffer();
    copied.memory(0).put(0, new SegmentBuffer(new byte[] {7}), 0, 1);
    assertSame(written, copied.memory(0).buffer());
    assertEquals(7, written.getByte(0));

    copied.onRested(copied.pool().region(0));

    assertNotSame(written, copied.memory(0).buffer());
    assertEquals(0, copied.memory(0).buffer().getByte(0));
  }

  /** Takes note of nothing: the pool's own states are looked at. */
  private static final class Silent implements RegionSink {
    @Override
    public void onGranted(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onAuthorised(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onReused(RegionHolder holder, ReceiveRegion region) {}

    @Override
    public void onRevoked(RegionHolder holder, int region, long key, int consumedFill) {}

    @Override
    public void onExhausted(RegionHolder holder) {}

    @Override
    public void onRepair(RegionHolder holder, ReceiveRegion region, long records) {}

    @Override
    public void onReleased(ReceiveRegion region) {}
  }

  @Test
  void shouldKeepWhatWasWrittenWhileAPeerHasARegionOrAThreadReadsOne() {
    WorkerRegions copied =
        new WorkerRegions(
            SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(), memory -> {}, 1, what -> {});
    RegionPool pool = copied.pool();
    RegionHolder peer = pool.open("a peer");
    pool.onDemand(peer, 0, 1_000, 1_000);
    pool.onBudget(1 << 20, 1 << 20);
    assertEquals(1, pool.grant(0, new Silent()));
    ReceiveRegion held =
        IntStream.range(0, pool.regionCount())
            .mapToObj(pool::region)
            .filter(region -> region.state() == RegionState.GRANTED)
            .findFirst()
            .orElseThrow();
    ReceiveRegion rested = pool.region(held.index() == 0 ? 1 : 0);
    SegmentBuffer written = copied.memory(held.index()).buffer();

    copied.onRested(rested);
    assertSame(written, copied.memory(held.index()).buffer(), "granted");

    pool.onWritten(held, 0, 1_000, 0);
    assertEquals(
        NotifyVerdict.OK, pool.onNotified(peer, held.index(), held.fill(), held.key(), 1_000));
    pool.onConsuming(held);
    pool.onHolderClosed(peer, 0, new Silent());
    assertEquals(RegionState.REVOKING, held.state());
    assertEquals(0, pool.grantedBytes());
    copied.onRested(rested);
    assertSame(written, copied.memory(held.index()).buffer(), "read after its path has ended");

    pool.onConsumed(held, 0, new Silent());
    copied.onRested(rested);
    assertNotSame(written, copied.memory(held.index()).buffer());
  }

  /** A worker may sleep long, and an executor without a backlog wakes no worker. */
  @Test
  void shouldLookAgainSoonWhilePeersWaitForWhatTheExecutorSlows() {
    WorkerRegions copied =
        new WorkerRegions(
            SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(), memory -> {}, 1, what -> {});
    copied.slowBy(new PendingSettings(2, 6), () -> 6);
    RegionPool pool = copied.pool();
    pool.onDemand(pool.open("a peer"), 0, 1 << 20, 1 << 18);
    pool.onBudget(LEAST_BYTES, LEAST_BYTES);
    pool.grant(0, new Silent());

    copied.onTurn(0);

    assertTrue(pool.isPressed());
    assertTrue(wheel.nextDeadlineNs() <= SOON_NS, () -> wheel.nextDeadlineNs() + " ns");
  }

  @Test
  void shouldRegisterNothingOnceItIsClosed() {
    regions.close();
    int made = remote.made;
    ReceiveRegion rested = regions.pool().region(0);

    regions.onReleased(rested);
    regions.onRested(rested);
    regions.close();

    assertEquals(made, remote.made);
    assertEquals(0, remote.live);
    assertEquals(WriteToken.CHUNKS_ONLY, rested.address());
  }

  /** The regions without a registration, where the regions of the test have all of theirs. */
  private int withoutNic(WorkerRegions some) {
    return regions.pool().regionCount() + some.pool().regionCount() - remote.live;
  }

  /** {@code ulimit -l} is low: unregistered regions take chunks, and the node reports the lack. */
  @Test
  void shouldGoOnWithoutTheRegionsThatTheSystemDoesNotLock() {
    remote.limit = remote.made + 3;
    RecordingEvents events = new RecordingEvents(10);
    WorkerRegions some =
        new WorkerRegions(
            SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(remote), memory -> {}, 1, what -> {});
    some.report(events, 2);
    assertEquals(WriteToken.CHUNKS_ONLY, granted(some, 0).address());
    assertNotEquals(WriteToken.CHUNKS_ONLY, granted(regions, 0).address());
    assertEquals(some.pool().regionCount() - 3, withoutNic(some));
    assertEquals(1, events.lines().size());
    String line = events.lines().getFirst();
    assertTrue(line.startsWith("RegistrationRefused worker=2 memory=receive regions"), line);
    assertTrue(line.contains("wantedBytes=65536 registeredBytes=196608"), line);
    assertTrue(line.contains("millrace.regions.counts"), line);
  }

  @Test
  void shouldRegisterTheRegionsOnceTheSystemLocksThem() {
    remote.limit = remote.made + 3;
    RecordingEvents events = new RecordingEvents(10);
    WorkerRegions some =
        new WorkerRegions(
            SETTINGS, new ReceiveBudget(0, 0), wheel, List.of(remote), memory -> {}, 1, what -> {});
    some.report(events, 2);
    some.onTurn(1);
    assertTrue(wheel.nextDeadlineNs() <= 1_100_000_000, "the worker wakes for the next try");
    remote.limit += 2;
    some.onTurn(999_999_999);
    assertEquals(some.pool().regionCount() - 3, withoutNic(some), "not before its time");
    some.onTurn(1_000_000_000);
    assertEquals(some.pool().regionCount() - 5, withoutNic(some), "as many as the system gives");
    assertEquals(1, events.lines().size(), "the mode goes on: no other event");

    remote.limit = Integer.MAX_VALUE;
    some.onTurn(2_000_000_000);
    assertEquals(some.pool().regionCount() - 5, withoutNic(some), "twice the time");
    some.onTurn(3_000_000_000L);
    assertEquals(0, withoutNic(some));
    assertEquals(2, events.lines().size());
    assertEquals(
        "RegistrationRestored worker=2 memory=receive regions reducedNs=3000000000",
        events.lines().get(1));
  }

  /** The region granted to a new holder that wants the largest region. */
  private static ReceiveRegion granted(WorkerRegions of, int endpoint) {
    RegionPool pool = of.pool();
    RegionHolder holder = pool.open("a peer");
    holder.endpoint(endpoint);
    pool.onDemand(holder, 0, Integer.MAX_VALUE, Integer.MAX_VALUE);
    pool.onBudget(Long.MAX_VALUE, Long.MAX_VALUE);
    pool.grant(0, new Silent());
    return IntStream.range(0, pool.regionCount())
        .mapToObj(pool::region)
        .filter(region -> region.holder() == holder)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** Two NICs may give out the same keys, and a NIC may give a key out again. */
  @Test
  void shouldNameEachGrantWhateverTheKeysOfTheNics() {
    List<@Nullable RemoteMemory> remotes = List.of(new Registered(), new Registered());
    WorkerRegions two = over(remotes);
    ReceiveRegion region = granted(two, 0);
    long remoteKey = region.remoteKey();
    long name = region.key();
    two.pool().onHolderClosed(Objects.requireNonNull(region.holder()), 0, new Silent());
    two.pool().onDeadline(Long.MAX_VALUE / 4, new Silent());

    ReceiveRegion again = granted(two, 1);

    assertEquals(region.index(), again.index());
    assertEquals(remoteKey, again.remoteKey());
    assertNotEquals(name, again.key());
  }

  private WorkerRegions over(List<@Nullable RemoteMemory> remotes) {
    return new WorkerRegions(
        SETTINGS, new ReceiveBudget(0, 0), wheel, remotes, memory -> {}, 1, what -> {});
  }

  @Test
  void shouldGrantTheKeyOfTheEndpointInUse() {
    Registered other = new Registered();
    other.made = 1_000;
    List<@Nullable RemoteMemory> remotes = Arrays.asList(new Registered(), null, other);
    WorkerRegions two = over(remotes);

    ReceiveRegion region = granted(two, 2);

    assertEquals(2, region.endpoint());
    long key = region.remoteKey();
    assertTrue(key > 1_000 && key <= other.made, () -> "key " + key);
    int live = other.live;
    two.onReleased(region);
    assertEquals(live - 1, other.live, "the key is void");
    two.onRested(region);
    assertEquals(live, other.live);
    assertEquals(WriteToken.CHUNKS_ONLY, granted(over(remotes), 1).address());
  }

  @Test
  void shouldTakeARegionBackThatWasGrantedForAnotherEndpoint() {
    ReceiveRegion region = granted(regions, 0);
    RegionHolder holder = Objects.requireNonNull(region.holder());
    RegionPool pool = regions.pool();
    holder.endpoint(1);

    pool.onWritten(region, 0, 1_000, 0);
    pool.onNotified(holder, region.index(), region.fill(), region.key(), 1_000);
    pool.onConsuming(region);
    pool.onConsumed(region, 0, new Silent());

    assertEquals(RegionState.QUARANTINED, region.state());
  }

  @Test
  void shouldGrantNothingOnceItIsClosed() {
    regions.pool().onDemand(regions.pool().open(this), 0, 1 << 16, 1 << 16);
    regions.close();

    // A grant needs the holder's path for its message, and this test has no path.
    regions.onTurn(1);

    assertEquals(0, regions.grantedBytes());
    assertNotEquals(0, regions.pool().regionCount());
    assertEquals(0, wheel.scheduledTimers());
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 32})
  void shouldKeepNoKeyInAFillThatNobodyUses(int keyBytes) {
    InboundFill fill = regions.takeFill();
    byte[] key = fill.dataKey(keyBytes);
    Arrays.fill(key, (byte) 7);

    regions.putBack(fill);

    assertArrayEquals(new byte[keyBytes], key);
  }
}
