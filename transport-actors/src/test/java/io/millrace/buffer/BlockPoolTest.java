package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Blocks that go to application threads and come back. */
final class BlockPoolTest {
  private final BlockPool pool = new BlockPool(2, 64, 256);

  @Test
  void shouldGiveTheSmallestSizeThatFits() {
    assertEquals(64, pool.acquire(0).bytes().length);
    assertEquals(64, pool.acquire(64).bytes().length);
    assertEquals(256, pool.acquire(65).bytes().length);
    assertEquals(257, pool.acquire(257).bytes().length);
  }

  @Test
  void shouldGiveAgainWhatCameBackAndKeepNoMoreThanItMay() {
    BlockPool.Block first = pool.acquire(10);
    BlockPool.Block second = pool.acquire(10);
    BlockPool.Block third = pool.acquire(10);
    BlockPool.Block large = pool.acquire(100);
    BlockPool.Block odd = pool.acquire(1_000);
    pool.release(first);
    pool.release(second);
    pool.release(third);
    pool.release(large);
    pool.release(odd);
    assertSame(first, pool.acquire(64));
    assertSame(second, pool.acquire(1));
    assertNotSame(third, pool.acquire(1));
    assertSame(large, pool.acquire(256));
    assertNotSame(odd, pool.acquire(1_000));
  }

  @Test
  void shouldGiveABlockToOneThoughItCameBackTwice() {
    BlockPool.Block block = pool.acquire(10);
    pool.release(block);
    assertThrows(IllegalStateException.class, () -> pool.release(block));
    assertSame(block, pool.acquire(10));
    assertNotSame(block, pool.acquire(10));
  }

  @Test
  void shouldRefuseSizesOutOfOrder() {
    assertThrows(IllegalArgumentException.class, () -> new BlockPool(2, 64, 64));
  }
}
