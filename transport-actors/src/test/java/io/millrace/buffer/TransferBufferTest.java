package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TransferBufferTest {
  private final BufferRegistry registry = Buffers.registry(4, 4);

  @Test
  void shouldBeHeldByOneWhenAllocatedAndByManyWhenShared() {
    TransferBuffer buffer = Buffers.allocate(registry, 1000, "one");
    assertEquals(1, buffer.refCount());
    assertFalse(buffer.isShared());
    buffer.beginWrite();
    buffer.fill(1000);
    buffer.retain(7);
    assertEquals(8, buffer.refCount());
    assertTrue(buffer.isShared());
    for (int i = 7; i > 0; i--) {
      assertFalse(buffer.release());
      assertEquals(i, buffer.refCount());
      assertEquals(3, registry.freeBlocks(0));
    }
    assertTrue(buffer.release());
    assertEquals(0, buffer.refCount());
    assertEquals(4, registry.freeBlocks(0));
  }

  @Test
  void shouldNeitherReviveNorFreeTwice() {
    TransferBuffer buffer = Buffers.allocate(registry, 1, "gone");
    assertTrue(buffer.release());
    assertThrows(IllegalStateException.class, buffer::retain);
    assertThrows(IllegalStateException.class, () -> buffer.retain(0));
    assertFalse(buffer.tryRetain());
    assertThrows(IllegalStateException.class, buffer::release);
    assertEquals(4, registry.freeBlocks(0));
  }

  @Test
  void shouldKeepAStragglerFromTheMemoryOfTheNext() {
    TransferBuffer buffer = Buffers.allocate(registry, 1, "early");
    buffer.beginWrite();
    buffer.bind(new byte[16], 0, () -> {});
    buffer.release();
    TransferBuffer next = Buffers.allocate(registry, 1, "late");
    assertThrows(IllegalStateException.class, () -> buffer.segment(0));
    assertThrows(IllegalStateException.class, () -> buffer.putBytes(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, () -> buffer.getBytes(0, new byte[1], 0, 1));
    assertThrows(IllegalStateException.class, buffer::binding);
    assertEquals(1, next.refCount());
  }

  @Test
  void shouldRefuseMoreReferencesThanItCanCount() {
    TransferBuffer buffer = Buffers.allocate(registry, 1, "many");
    buffer.retain((Integer.MAX_VALUE >> 2) - 1);
    assertThrows(IllegalStateException.class, buffer::retain);
    assertThrows(IllegalStateException.class, () -> buffer.retain(Integer.MAX_VALUE));
    assertThrows(IllegalArgumentException.class, () -> buffer.retain(-1));
    assertEquals(Integer.MAX_VALUE >> 2, buffer.refCount());
    assertEquals(BufferPhase.ALLOCATED, buffer.phase());
  }

  @Test
  void shouldBeFilledWithinItsRoomOnly() {
    TransferBuffer buffer = Buffers.allocate(registry, 100, "room");
    buffer.beginWrite();
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.fill(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.fill(Buffers.SMALL + 1));
    buffer.fill(Buffers.SMALL);
    assertEquals(Buffers.SMALL, buffer.lengthBytes());
  }

  @Test
  void shouldHoldBytesAcrossItsBlocks() {
    long seed = 91;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    TransferBuffer buffer = Buffers.allocate(registry, 3 * Buffers.LARGE, "blocks");
    assertEquals(3, buffer.segmentCount());
    assertEquals(Buffers.LARGE, buffer.segmentBytes());
    byte[] model = new byte[buffer.capacityBytes()];
    buffer.beginWrite();
    buffer.putBytes(0, model, 0, model.length);
    for (int i = 0; i < 500; i++) {
      int at = random.nextInt(model.length + 1);
      byte[] bytes = new byte[random.nextInt(model.length - at + 1)];
      random.nextBytes(bytes);
      buffer.putBytes(at, bytes, 0, bytes.length);
      System.arraycopy(bytes, 0, model, at, bytes.length);
    }
    buffer.fill(model.length);
    byte[] read = new byte[model.length + 2];
    buffer.getBytes(0, read, 1, model.length);
    byte[] bySegment = new byte[model.length];
    for (int i = 0; i < 3; i++) {
      buffer.segment(i).getBytes(0, bySegment, i * Buffers.LARGE, Buffers.LARGE);
    }
    assertArrayEquals(model, bySegment);
    assertArrayEquals(model, Arrays.copyOfRange(read, 1, model.length + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.getBytes(model.length, read, 0, 1));
    assertThrows(IllegalStateException.class, () -> buffer.putBytes(0, read, 0, 1));
  }

  @Test
  void shouldBindKeyNonceAndATagForEachRecordOnce() {
    TransferBuffer buffer = Buffers.allocate(registry, 3 * Buffers.LARGE, "bound");
    byte[] key = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    assertThrows(IllegalStateException.class, () -> buffer.bind(key, 9, () -> {}));
    buffer.beginWrite();
    assertThrows(IllegalStateException.class, buffer::binding);
    BufferBinding binding = buffer.bind(key, 9, () -> {});
    assertThrows(IllegalStateException.class, () -> buffer.bind(key, 10, () -> {}));
    buffer.fill(5);
    assertSame(binding, buffer.binding());
    assertArrayEquals(key, binding.dataKey());
    assertEquals(9, binding.firstNonce());
    assertEquals(3 * 16, binding.tags().length);
    assertEquals("BufferBinding[first nonce 9, key redacted]", binding.toString());
  }

  @Test
  void shouldOverwriteTheKeyWhenFreedAndNotBefore() {
    TransferBuffer buffer = Buffers.allocate(registry, 1, "secret");
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    buffer.beginWrite();
    byte[] held = buffer.bind(key, 0, () -> {}).dataKey();
    buffer.retain();
    buffer.release();
    assertArrayEquals(key, held);
    buffer.release();
    assertArrayEquals(new byte[32], held);
    assertEquals(7, key[0]);
  }

  @Test
  void shouldCountRecordsUpToTheLargestBuffer() {
    assertEquals(0, BufferBinding.records(0));
    assertEquals(1, BufferBinding.records(1));
    assertEquals(1, BufferBinding.records(65_536));
    assertEquals(2, BufferBinding.records(65_537));
    assertEquals(32_768, BufferBinding.records(Integer.MAX_VALUE));
  }

  @Test
  void shouldBeFreedOnceByEightThreadsThatRetainAndRelease() throws InterruptedException {
    int threads = 8;
    int rounds = 20_000;
    TransferBuffer buffer = Buffers.allocate(registry, 1, "stress");
    buffer.retain(threads - 1);
    AtomicInteger frees = new AtomicInteger();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    awaitQuietly(start);
                    for (int round = 0; round < rounds; round++) {
                      buffer.retain();
                      frees.addAndGet(buffer.release() ? 1 : 0);
                    }
                    frees.addAndGet(buffer.release() ? 1 : 0);
                  }));
    }
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    assertEquals(1, frees.get());
    assertEquals(0, buffer.refCount());
    assertEquals(4, registry.freeBlocks(0));
  }

  @Test
  void shouldSayWhoItIsOf() {
    TransferBuffer buffer = Buffers.allocate(registry, 1, "call 7");
    assertNotEquals(-1, buffer.toString().indexOf("call 7"));
    assertEquals("call 7", buffer.owner());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
