package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A single allocation for several messages, with a hold for each message. */
class BufferBatchTest {
  private static final int LARGE = Buffers.LARGE;

  private final List<Integer> freed = new ArrayList<>();

  private static BufferRegistry registry(boolean isOnHeap) {
    BufferSettings settings = Buffers.settings(4, 16);
    return new BufferRegistry(
        new BufferSettings(settings.classes(), settings.maxBufferBytes(), isOnHeap));
  }

  private List<TransferBuffer> allocate(BufferRegistry registry, int... lengths) {
    return Objects.requireNonNull(
        registry.tryAllocateBatch(lengths, "batch", freed::add, null, null), "no memory");
  }

  @Test
  void shouldTakeOneAllocationForManyMessages() {
    BufferRegistry registry = Buffers.registry(4, 16);
    int[] lengths = IntStream.range(0, 100).map(i -> 8 * 1024).toArray();
    List<TransferBuffer> messages = allocate(registry, lengths);
    assertEquals(100, messages.size());
    assertEquals(1, registry.allocations());
    assertEquals(13L * LARGE, registry.usedBytes());
    assertEquals(13L * LARGE, registry.batchBytes(lengths));
  }

  @Test
  void shouldGiveTheMemoryBackWithTheLastMessage() {
    BufferRegistry registry = Buffers.registry(4, 16);
    List<TransferBuffer> messages = allocate(registry, 100, LARGE, 3 * LARGE - 70, 5);
    messages.get(2).retain(3);
    for (TransferBuffer message : messages) {
      assertTrue(message == messages.get(2) ^ message.release());
    }
    assertEquals(0, messages.get(0).refCount());
    assertEquals(3, messages.get(2).refCount());
    assertEquals(5L * LARGE, registry.usedBytes());
    assertEquals(1, registry.outstanding().size());
    assertFalse(messages.get(2).release());
    assertFalse(messages.get(2).release());
    assertEquals(List.of(), freed);
    assertTrue(messages.get(2).release());
    assertEquals(List.of(5 * LARGE), freed);
    assertEquals(0, registry.usedBytes());
    assertEquals(List.of(), registry.outstanding());
  }

  @Test
  void shouldRefuseAMessageThatWasReleasedWhileOthersAreHeld() {
    BufferRegistry registry = Buffers.registry(4, 16);
    List<TransferBuffer> messages = allocate(registry, 100, 200);
    TransferBuffer gone = messages.getFirst();
    gone.beginWrite();
    gone.bind(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 0, () -> {});
    byte[] key = gone.binding().dataKey();
    gone.release();
    assertArrayEquals(new byte[16], key);
    assertThrows(IllegalStateException.class, gone::retain);
    assertThrows(IllegalStateException.class, gone::release);
    assertThrows(IllegalStateException.class, () -> gone.segment(0));
    assertEquals(1, messages.getLast().refCount());
    assertEquals(LARGE, registry.usedBytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldKeepMessagesApart(boolean isOnHeap) {
    BufferRegistry registry = registry(isOnHeap);
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      int[] lengths =
          random.ints(1 + random.nextInt(12), 1, 1 + (1 << 1 + random.nextInt(17))).toArray();
      if (registry.batchBytes(lengths) > registry.maxRangesBytes()) {
        continue;
      }
      List<TransferBuffer> messages = allocate(registry, lengths);
      List<byte[]> written = new ArrayList<>();
      for (int i = 0; i < lengths.length; i++) {
        TransferBuffer message = messages.get(i);
        assertEquals(lengths[i], message.capacityBytes());
        byte[] bytes = new byte[lengths[i]];
        random.nextBytes(bytes);
        written.add(bytes);
        message.beginWrite();
        message.putBytes(0, bytes, 0, bytes.length);
        message.fill(bytes.length);
      }
      for (int i = 0; i < lengths.length; i++) {
        assertContents(registry, messages.get(i), written.get(i), isOnHeap);
      }
      messages.forEach(TransferBuffer::release);
      assertEquals(0, registry.usedBytes());
    }
  }

  /**
   * Reads the message in the three ways of its users: a copy, pieces for sending, and writes from
   * the memory.
   */
  private static void assertContents(
      BufferRegistry registry, TransferBuffer message, byte[] wanted, boolean isOnHeap) {
    byte[] copy = new byte[wanted.length];
    message.getBytes(0, copy, 0, copy.length);
    assertArrayEquals(wanted, copy);
    Arrays.fill(copy, (byte) 0);
    int step = message.segmentBytes();
    for (int at = 0; at < wanted.length; at += step) {
      int count = Math.min(step, wanted.length - at);
      SegmentBuffer segment = message.segment(at / step);
      segment.getBytes(0, copy, at, count);
      if (!isOnHeap) {
        long address = registry.memory().get(message.memoryIndex()).address();
        assertEquals(segment.addressOffset(), address + message.memoryOffset(at));
      }
    }
    assertArrayEquals(wanted, copy);
  }

  /**
   * A record sealed in place has its tag behind the record, in bytes that may belong to another
   * message.
   */
  @Test
  void shouldLendTheArrayOfWholeBlocksOnly() {
    BufferRegistry registry = registry(true);
    List<TransferBuffer> messages = allocate(registry, 100, 200, LARGE + 300, LARGE, 50);
    assertNull(messages.get(0).segmentArray(0));
    assertNull(messages.get(1).segmentArray(0));
    assertNotNull(messages.get(2).segmentArray(0));
    assertNull(messages.get(2).segmentArray(1));
    assertNotNull(messages.get(3).segmentArray(0));
    assertNull(messages.get(4).segmentArray(0));
  }

  @Test
  void shouldTakeAllOrNothing() {
    BufferRegistry registry = Buffers.registry(4, 4);
    TransferBuffer other = Buffers.allocate(registry, LARGE, "other");
    int[] lengths = {LARGE, LARGE, LARGE, 1};
    assertNull(registry.tryAllocateBatch(lengths, "batch", freed::add, null, null));
    assertEquals(1, registry.allocations());
    List<Boolean> told = new ArrayList<>();
    MemoryWaiter waiter = registry.waiter(() -> told.add(true));
    waiter.await((int) registry.batchBytes(lengths));
    other.release();
    assertEquals(List.of(true), told);
    TransferBuffer first =
        Objects.requireNonNull(
                registry.tryAllocateBatch(lengths, "batch", freed::add, null, waiter), "no memory")
            .getFirst();
    assertSame(registry.find(first.id()), registry.find(first.id()));
    assertEquals(4L * LARGE, registry.usedBytes());
  }

  @Test
  void shouldRefuseWhatNoBatchCanBe() {
    BufferRegistry registry = Buffers.registry(4, 4);
    for (int[] lengths : new int[][] {{}, {1, 0}, {-1}, {4 * LARGE, 1}}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> registry.tryAllocateBatch(lengths, "batch", freed::add, null, null));
    }
    registry.close();
    assertThrows(
        IllegalStateException.class,
        () -> registry.tryAllocateBatch(new int[] {1}, "batch", freed::add, null, null));
  }
}
