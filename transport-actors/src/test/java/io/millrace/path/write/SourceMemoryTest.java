package io.millrace.path.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.buffer.BlockClass;
import io.millrace.buffer.BufferRegistry;
import io.millrace.buffer.BufferSettings;
import io.millrace.buffer.TransferBuffer;
import io.millrace.config.TransferSettings;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.ends.PathCounters;
import io.millrace.event.RecordingEvents;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The registrations of send memory: references, bounds, and the reduced mode after a refusal. */
class SourceMemoryTest {
  private static final int BLOCK = 1 << 16;
  private static final int STRETCH = 2 * BLOCK;
  private static final int STRETCHES = 8;
  private static final long SECOND_NS = 1_000_000_000;

  private final BufferRegistry buffers =
      new BufferRegistry(
          new BufferSettings(List.of(new BlockClass(BLOCK, 2 * STRETCHES)), 8 * BLOCK));
  private final FakeSourceDriver driver = new FakeSourceDriver();
  private final RecordingEvents events = new RecordingEvents(100);
  private final PathCounters counters = new PathCounters(3);
  private SourceMemory source = source(STRETCHES, STRETCHES * STRETCH);
  private long nowNs = SECOND_NS;

  private SourceMemory source(int most, long mostBytes) {
    return new SourceMemory(
        driver, buffers, new TransferSettings.Registration(STRETCH, most, mostBytes));
  }

  private SourceMemory.Stretch acquire(int stretch) {
    return Objects.requireNonNull(
        source.acquire(0, (long) stretch * STRETCH, ++nowNs), "not registered");
  }

  private boolean isRefused(int stretch) {
    return source.acquire(0, (long) stretch * STRETCH, ++nowNs) == null;
  }

  private void use(int stretch) {
    acquire(stretch).release();
  }

  private List<String> told() {
    source.tell(events, counters, 3);
    return events.lines();
  }

  /** The registered stretches, by their number. */
  private List<Long> live() {
    long base = buffers.memory().getFirst().address();
    return driver.live.values().stream()
        .map(region -> (region.memory().address() - base) / STRETCH)
        .sorted()
        .toList();
  }

  @Test
  void shouldRegisterAStretchAtItsFirstUseAndNoOther() {
    assertEquals(List.of(), live());
    use(5);
    use(5);
    assertEquals(List.of(5L), live());
    assertEquals(1, driver.made);
    assertEquals(STRETCH, source.registeredBytes());
  }

  @Test
  void shouldCoverEveryByteOfTheMemoryOnce() {
    for (int i = 0; i < 2 * STRETCHES; i++) {
      long offset = (long) i * BLOCK + 1_000;
      SourceMemory.Stretch stretch = Objects.requireNonNull(source.acquire(0, offset, ++nowNs));
      MemoryRegion region = stretch.region();
      assertEquals(
          buffers.memory().getFirst().address() + offset,
          region.memory().address() + stretch.offset(offset));
      assertTrue(stretch.offset(offset) + BLOCK - 1_000 <= region.memory().byteSize());
      stretch.release();
    }
    assertEquals(STRETCHES, driver.made);
  }

  @Test
  void shouldEndTheRegistrationUsedLeastRecentlyWhereTheCountIsBounded() {
    source = source(3, 1 << 30);
    use(0);
    use(1);
    use(2);
    use(0);
    use(3);
    assertEquals(List.of(0L, 2L, 3L), live());
    assertEquals(3, source.registeredCount());
    assertFalse(source.isReduced());
    assertEquals(List.of(), told());
    assertEquals(4, counters.stretchesRegistered);
    assertEquals(1, counters.stretchesEvicted);
  }

  @Test
  void shouldKeepWithinTheBytesOfTheSettings() {
    source = source(100, 2 * STRETCH + BLOCK);
    use(0);
    use(1);
    use(2);
    assertEquals(List.of(1L, 2L), live());
    assertEquals(2 * STRETCH, source.registeredBytes());
  }

  @Test
  void shouldNotEndARegistrationThatAWriteReadsFrom() {
    source = source(2, 1 << 30);
    SourceMemory.Stretch read = acquire(0);
    use(1);
    use(2);
    assertEquals(List.of(0L, 2L), live(), "the older one is read from");
    SourceMemory.Stretch other = acquire(2);
    assertTrue(isRefused(3), "both are read from");
    assertFalse(source.isReduced(), "the caller waits for a release");
    read.release();
    use(3);
    assertEquals(List.of(2L, 3L), live());
    other.release();
    assertThrows(IllegalStateException.class, other::release);
  }

  /** Writes begin and end at random, and never lose the registration that they read from. */
  @Test
  void shouldKeepEachRegistrationInUseUnderLoad() {
    source = source(3, 1 << 30);
    Random random = new Random(1);
    ArrayDeque<SourceMemory.Stretch> posted = new ArrayDeque<>();
    ArrayDeque<MemoryRegion> regions = new ArrayDeque<>();
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      driver.limitBytes = i / 1_000 % 2 == 0 ? Long.MAX_VALUE : 2 * STRETCH;
      SourceMemory.Stretch stretch =
          source.acquire(0, (long) random.nextInt(STRETCHES) * STRETCH, nowNs += 100_000_000);
      if (stretch != null) {
        posted.add(stretch);
        regions.add(stretch.region());
      } else {
        refused++;
      }
      if (stretch == null || posted.size() > random.nextInt(6)) {
        while (posted.size() > random.nextInt(4)) {
          assertNotNull(driver.live.get(regions.removeFirst().handle()), "it was read from");
          posted.removeFirst().release();
        }
      }
      assertTrue(source.registeredCount() <= 3);
      assertEquals(driver.live.size(), source.registeredCount());
    }
    assertTrue(refused > 100 && refused < 10_000, () -> "a load that tests nothing");
  }

  @Test
  void shouldBeginTheReducedModeWithOneEventAndEndItWithAnother() {
    driver.limitBytes = 2 * STRETCH;
    SourceMemory.Stretch first = acquire(0);
    SourceMemory.Stretch second = acquire(1);
    assertTrue(isRefused(2));
    assertTrue(isRefused(3));
    assertTrue(source.isReduced());
    assertEquals(1, told().size(), () -> events.lines().toString());
    String line = told().getFirst();
    assertTrue(line.startsWith("RegistrationRefused worker=3 memory=send buffers"), line);
    assertTrue(
        line.contains("cause=out of memory wantedBytes=131072 registeredBytes=262144"), line);
    assertTrue(line.contains("reason=cannot lock"), line);
    assertTrue(line.contains("ulimit -l"), line);
    assertTrue(line.contains("millrace.transfers.registration.bytes"), line);
    use(0);
    assertEquals(3, driver.tries, "no try before its time");

    driver.limitBytes = Long.MAX_VALUE;
    nowNs += SECOND_NS;
    use(2);
    assertFalse(source.isReduced());
    assertEquals(2, told().size());
    assertTrue(told().get(1).startsWith("RegistrationRestored worker=3 memory=send buffers"));
    assertSame(first, acquire(0));
    assertSame(second, acquire(1));
    assertEquals(1, counters.stretchesRefused);
  }

  @Test
  void shouldTryAgainAtTimesThatLieEverFurtherApart() {
    driver.limitBytes = 0;
    long beginNs = nowNs;
    StringBuilder triedAtSeconds = new StringBuilder();
    for (int second = 0; second <= 200; second++) {
      nowNs = beginNs + second * (SECOND_NS + 10);
      long before = driver.tries;
      assertTrue(isRefused(0));
      if (driver.tries > before) {
        triedAtSeconds.append(second).append(' ');
      }
    }
    assertEquals("0 1 3 7 15 31 63 123 183 ", triedAtSeconds.toString());
    assertEquals(1, told().size(), "one event for the whole episode");
  }

  @Test
  void shouldTellEachKindOfRefusalOnce() {
    driver.limitBytes = 0;
    isRefused(0);
    assertEquals(1, told().size());
    driver.kind = DriverException.Kind.UNSUPPORTED;
    for (int i = 0; i < 10; i++) {
      nowNs += 100 * SECOND_NS;
      isRefused(0);
    }
    assertEquals(2, told().size(), () -> events.lines().toString());
    assertTrue(told().get(1).contains("cause=not supported"), told().get(1));
  }

  /** The system gives two registrations: the stretch in use least recently makes room. */
  @Test
  void shouldEndAnIdleRegistrationWhereTheSystemRefuses() {
    driver.limitBytes = 2 * STRETCH;
    use(0);
    use(1);
    use(2);
    assertEquals(List.of(1L, 2L), live());
    assertTrue(source.isReduced(), "the system has less memory than wanted");
    assertTrue(isRefused(3), "a stretch in use lately stays");
    nowNs += SourceMemory.IDLE_NS;
    use(2);
    use(3);
    assertEquals(List.of(2L, 3L), live());
  }

  @Test
  void shouldWriteOnlyFromWhatIsRegisteredInTheReducedMode() {
    TransferBuffer buffer =
        Objects.requireNonNull(buffers.tryAllocate(4 * BLOCK, "test"), "no memory");
    assertTrue(source.isReady(buffer, 0, 4 * BLOCK, nowNs));
    assertEquals(0, driver.tries, "nothing is registered before the first post");
    driver.limitBytes = STRETCH;
    long offset = buffer.memoryOffset(0);
    SourceMemory.Stretch stretch =
        Objects.requireNonNull(source.acquire(0, offset, nowNs), "not registered");
    assertNull(source.acquire(0, buffer.memoryOffset(3 * BLOCK), nowNs));
    assertTrue(source.isReady(buffer, 0, BLOCK, nowNs), "this block is registered");
    assertFalse(source.isReady(buffer, 0, 4 * BLOCK, nowNs));
    assertFalse(source.isReady(buffer, 3 * BLOCK + 5, 1, nowNs));
    stretch.release();
    buffer.release();
  }

  @Test
  void shouldGoByChunksWhereARegistrationCannotBeEnded() {
    source = source(1, 1 << 30);
    use(0);
    driver.stuckHandle = driver.made;
    assertTrue(isRefused(1));
    assertTrue(source.isReduced());
    use(0);
    assertTrue(told().getFirst().contains("reason=cannot unlock"), told().getFirst());
  }

  @Test
  void shouldNotWriteFromBuffersOnTheHeap() {
    BufferRegistry heap =
        new BufferRegistry(new BufferSettings(List.of(new BlockClass(BLOCK, 4)), BLOCK, true));
    TransferBuffer buffer = Objects.requireNonNull(heap.tryAllocate(10, "test"));
    SourceMemory none =
        new SourceMemory(driver, heap, new TransferSettings.Registration(STRETCH, 1, STRETCH));
    assertFalse(none.isReady(buffer, 0, 10, nowNs));
    buffer.release();
  }

  /** The stretches in use have a write under way at each time: a third must come to its turn. */
  @Test
  void shouldLetABusyStretchMakeRoom() {
    source = source(2, 1 << 30);
    final SourceMemory.Stretch first = acquire(0);
    final SourceMemory.Stretch second = acquire(1);
    assertTrue(isRefused(2));
    nowNs++;
    assertTrue(isRefused(0), "the least recently used stretch begins no further write");
    final SourceMemory.Stretch again = acquire(1);
    second.release();
    first.release();
    acquire(2).release();
    again.release();
    acquire(0).release();
  }
}
