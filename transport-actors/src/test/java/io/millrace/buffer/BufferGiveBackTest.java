package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BufferGiveBackTest {
  private final BufferRegistry registry =
      new BufferRegistry(
          new BufferSettings(
              List.of(new BlockClass(Buffers.SMALL, 4), new BlockClass(Buffers.LARGE, 4)),
              Buffers.MAX,
              true));

  private byte[] arrayOf(TransferBuffer buffer) {
    return buffer.segment(0).byteArray();
  }

  @Test
  void shouldLetGoOfBlocksThatNobodyHeldSinceTheLook() {
    registry.onLook(10);
    TransferBuffer first = Buffers.allocate(registry, 1, "first");
    byte[] unused = arrayOf(first);
    first.release();
    assertEquals(1, registry.giveBack(10, 20), "it came back after the look");
    TransferBuffer again = Buffers.allocate(registry, 1, "again");
    assertSame(unused, arrayOf(again), "a block in use keeps its array");
    again.release();
    assertEquals(1, registry.giveBack(20, 30));
    assertEquals(0, registry.giveBack(30, 40));
    assertNotSame(unused, arrayOf(Buffers.allocate(registry, 1, "later")));
  }

  @Test
  void shouldLeaveBlocksThatSomebodyHolds() {
    registry.onLook(10);
    TransferBuffer held = Buffers.allocate(registry, Buffers.MAX, "held");
    held.beginWrite();
    byte[] bytes = new byte[Buffers.MAX];
    new SplittableRandom(1).nextBytes(bytes);
    held.putBytes(0, bytes, 0, bytes.length);

    assertEquals(0, registry.giveBack(10, 20));
    assertEquals(0, registry.giveBack(20, 30));

    byte[] read = new byte[Buffers.MAX];
    held.getBytes(0, read, 0, read.length);
    assertArrayEquals(bytes, read);
  }

  @Test
  void shouldNeverTakeABlockFromItsHolderWhileThreadsTakeAndFree() throws InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread giving = Thread.ofPlatform().start(() -> giveBackUntil(isOver));
    List<Thread> holders = new ArrayList<>();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    for (int i = 1; i <= 3; i++) {
      byte mark = (byte) i;
      holders.add(Thread.ofPlatform().start(() -> hold(mark, failures)));
    }
    for (Thread holder : holders) {
      holder.join();
    }
    isOver.set(true);
    giving.join();
    assertEquals(List.of(), List.copyOf(failures));
  }

  private void giveBackUntil(AtomicBoolean isOver) {
    long nowNs = 0;
    while (!isOver.get()) {
      nowNs += 2;
      var _ = registry.giveBack(nowNs + 1, nowNs);
    }
  }

  private void hold(byte mark, Queue<String> failures) {
    for (int round = 0; round < 20_000; round++) {
      TransferBuffer buffer = registry.tryAllocate(1, "holder");
      if (buffer != null) {
        buffer.segment(0).putByte(0, mark);
        buffer.segment(0).putByte(Buffers.SMALL - 1, mark);
        if (buffer.segment(0).getByte(0) != mark
            || buffer.segment(0).getByte(Buffers.SMALL - 1) != mark) {
          failures.add("round " + round + " of " + mark);
        }
        buffer.release();
      }
    }
  }
}
