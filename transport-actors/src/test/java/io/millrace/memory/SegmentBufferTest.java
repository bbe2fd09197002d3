package io.millrace.memory;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the buffer with the JDK's byte buffers, for each kind of memory. */
class SegmentBufferTest {
  private static final int LENGTH = 75;
  private static final int BEFORE = 3;
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();
  private static final List<ByteOrder> ORDERS = List.of(LITTLE_ENDIAN, BIG_ENDIAN);

  /**
   * A buffer, and another view of its memory.
   *
   * @param name the kind of memory
   * @param buffer the buffer under test
   * @param view the JDK's view of the same bytes, in the order of the machine
   */
  record Memory(String name, SegmentBuffer buffer, ByteBuffer view) {
    static Memory of(String name, SegmentBuffer buffer, ByteBuffer whole) {
      return new Memory(name, buffer, whole.slice(BEFORE, LENGTH).order(NATIVE));
    }

    void fill(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < LENGTH; i++) {
        view.put(i, (byte) random.nextInt());
      }
    }

    byte[] bytes() {
      return bytes(0, LENGTH);
    }

    byte[] bytes(int index, int length) {
      byte[] bytes = new byte[length];
      view.get(index, bytes);
      return bytes;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Memory> memories() {
    byte[] array = new byte[2 * LENGTH];
    ByteBuffer heap = ByteBuffer.wrap(new byte[3 * LENGTH], 5, 2 * LENGTH).slice();
    ByteBuffer direct = ByteBuffer.allocateDirect(2 * LENGTH);
    direct.position(7); // positions and limits are of no account
    ByteBuffer segment = Arena.ofAuto().allocate(2 * LENGTH, 8).asByteBuffer();
    SegmentBuffer outer = new SegmentBuffer(segment);
    ByteBuffer addressed = ByteBuffer.allocateDirect(2 * LENGTH);
    long address = new SegmentBuffer(addressed, BEFORE, LENGTH).addressOffset();
    return List.of(
        Memory.of("array", new SegmentBuffer(array, BEFORE, LENGTH), ByteBuffer.wrap(array)),
        Memory.of("heap buffer", new SegmentBuffer(heap, BEFORE, LENGTH), heap),
        Memory.of("direct buffer", new SegmentBuffer(direct, BEFORE, LENGTH), direct),
        Memory.of("segment", new SegmentBuffer(outer, BEFORE, LENGTH), segment),
        Memory.of("address", new SegmentBuffer(address, LENGTH), addressed));
  }

  static Stream<List<Memory>> pairs() {
    List<Memory> right = memories();
    return memories().stream().flatMap(left -> right.stream().map(other -> List.of(left, other)));
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldReadNumbersAsByteBuffersDo(Memory memory) {
    memory.fill(1);
    SegmentBuffer buffer = memory.buffer;
    ByteBuffer view = memory.view;
    for (int i = 0; i <= LENGTH - Long.BYTES; i++) {
      assertEquals(view.order(NATIVE).getLong(i), buffer.getLong(i));
      assertEquals(view.getInt(i), buffer.getInt(i));
      assertEquals(view.getShort(i), buffer.getShort(i));
      assertEquals(view.getChar(i), buffer.getChar(i));
      assertEquals(view.get(i), buffer.getByte(i));
      assertEquals(view.getDouble(i), buffer.getDouble(i));
      assertEquals(view.getFloat(i), buffer.getFloat(i));
      for (ByteOrder order : ORDERS) {
        assertEquals(view.order(order).getLong(i), buffer.getLong(i, order));
        assertEquals(view.getInt(i), buffer.getInt(i, order));
        assertEquals(view.getShort(i), buffer.getShort(i, order));
        assertEquals(view.getChar(i), buffer.getChar(i, order));
        assertEquals(view.getDouble(i), buffer.getDouble(i, order));
        assertEquals(view.getFloat(i), buffer.getFloat(i, order));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldWriteNumbersAsByteBuffersDo(Memory memory) {
    long value = 0x8192_A3B4_C5D6_E7F8L;
    for (int i = 0; i <= LENGTH - Long.BYTES; i++) {
      int at = i;
      writes(memory, b -> b.putLong(at, value), (b, o) -> b.putLong(at, value, o));
      same(memory, i, (b, o) -> b.order(o).putLong(at, value));
      writes(memory, b -> b.putInt(at, (int) value), (b, o) -> b.putInt(at, (int) value, o));
      same(memory, i, (b, o) -> b.order(o).putInt(at, (int) value));
      writes(
          memory, b -> b.putShort(at, (short) value), (b, o) -> b.putShort(at, (short) value, o));
      same(memory, i, (b, o) -> b.order(o).putShort(at, (short) value));
      writes(memory, b -> b.putChar(at, (char) value), (b, o) -> b.putChar(at, (char) value, o));
      same(memory, i, (b, o) -> b.order(o).putChar(at, (char) value));
      writes(memory, b -> b.putDouble(at, 2.5), (b, o) -> b.putDouble(at, 2.5, o));
      same(memory, i, (b, o) -> b.order(o).putDouble(at, 2.5));
      writes(memory, b -> b.putFloat(at, 2.5f), (b, o) -> b.putFloat(at, 2.5f, o));
      same(memory, i, (b, o) -> b.order(o).putFloat(at, 2.5f));
      writes(memory, b -> b.putByte(at, (byte) 0x91), (b, o) -> b.putByte(at, (byte) 0x91));
      same(memory, i, (b, o) -> b.put(at, (byte) 0x91));
    }
  }

  private final byte[][] written = new byte[ORDERS.size() + 1][];

  /** Writes in the order of the machine and in each order, and remembers the bytes. */
  private void writes(
      Memory memory, Consumer<SegmentBuffer> plain, BiConsumer<SegmentBuffer, ByteOrder> ordered) {
    memory.fill(2);
    plain.accept(memory.buffer);
    written[ORDERS.size()] = memory.bytes();
    for (int i = 0; i < ORDERS.size(); i++) {
      memory.fill(2);
      ordered.accept(memory.buffer, ORDERS.get(i));
      written[i] = memory.bytes();
    }
  }

  /** Compares the bytes written last with the bytes that the JDK writes. */
  private void same(Memory memory, int at, BiConsumer<ByteBuffer, ByteOrder> oracle) {
    for (int i = 0; i < ORDERS.size(); i++) {
      memory.fill(2);
      oracle.accept(memory.view, ORDERS.get(i));
      byte[] expected = memory.bytes();
      assertArrayEquals(expected, written[i], "at " + at);
      if (ORDERS.get(i).equals(NATIVE)) {
        assertArrayEquals(expected, written[ORDERS.size()], "at " + at);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldRefuseEveryAccessOutside(Memory memory) {
    SegmentBuffer buffer = memory.buffer;
    memory.fill(3);
    byte[] before = memory.bytes();
    for (int index :
        new int[] {-1, LENGTH, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 3}) {
      refuses(() -> buffer.getByte(index));
      refuses(() -> buffer.putByte(index, (byte) 0));
      refuses(() -> buffer.boundsCheck(index, 1));
      refuses(() -> buffer.setMemory(index, 1, (byte) 0));
      refuses(() -> buffer.putBytes(index, new byte[1]));
      refuses(() -> buffer.getBytes(index, new byte[1]));
    }
    for (int width : new int[] {Short.BYTES, Integer.BYTES, Long.BYTES}) {
      for (int index : new int[] {-1, LENGTH - width + 1, Integer.MAX_VALUE}) {
        refuses(() -> buffer.boundsCheck(index, width));
        refuses(() -> buffer.getBytes(index, new byte[width]));
        refuses(() -> buffer.putBytes(index, ByteBuffer.allocate(width), 0, width));
        refuses(() -> buffer.putBytes(index, buffer, 0, width));
      }
    }
    for (int capacity = 0; capacity < Long.BYTES; capacity++) {
      SegmentBuffer small = new SegmentBuffer(buffer, 0, capacity);
      for (int behind = 0; behind < Long.BYTES; behind++) {
        int index = Integer.MAX_VALUE - behind;
        refuses(() -> small.getLong(index));
        refuses(() -> small.getInt(index));
        refuses(() -> small.getShort(index));
        refuses(() -> small.getByte(index));
      }
    }
    refuses(() -> buffer.getLong(LENGTH - 7));
    refuses(() -> buffer.putLong(LENGTH - 7, 0));
    refuses(() -> buffer.getInt(LENGTH - 3));
    refuses(() -> buffer.putInt(LENGTH - 3, 0));
    refuses(() -> buffer.getShort(LENGTH - 1));
    refuses(() -> buffer.putShort(LENGTH - 1, (short) 0));
    refuses(() -> buffer.boundsCheck(0, -1));
    refuses(() -> buffer.boundsCheck(1, Integer.MAX_VALUE));
    refuses(() -> buffer.boundsCheck(0, Integer.MIN_VALUE));
    refuses(() -> buffer.checkLimit(LENGTH + 1));
    refuses(() -> buffer.putBytes(0, new byte[9], 2, 8));
    refuses(() -> buffer.putBytes(0, buffer, LENGTH - 7, 8));
    refuses(() -> buffer.getBytes(0, new byte[9], -1, 8));
    buffer.boundsCheck(LENGTH, 0);
    buffer.boundsCheck(0, LENGTH);
    buffer.checkLimit(LENGTH);
    assertArrayEquals(before, memory.bytes());
  }

  private static void refuses(Executable access) {
    assertThrows(IndexOutOfBoundsException.class, access);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldCopyBetweenAllKindsOfMemory(List<Memory> pair) {
    Memory from = pair.get(0);
    Memory to = pair.get(1);
    for (int length = 0; length <= LENGTH - 9; length++) {
      from.fill(4);
      to.fill(5);
      byte[] expected = to.bytes();
      System.arraycopy(from.bytes(), 2, expected, 9, length);
      to.buffer.putBytes(9, from.buffer, 2, length);
      assertArrayEquals(expected, to.bytes());

      to.fill(5);
      from.buffer.getBytes(2, to.buffer, 9, length);
      assertArrayEquals(expected, to.bytes());

      to.fill(5);
      to.buffer.putBytes(9, from.view, 2, length);
      assertArrayEquals(expected, to.bytes());

      to.fill(5);
      to.buffer.putBytes(9, from.view.asReadOnlyBuffer(), 2, length);
      assertArrayEquals(expected, to.bytes());

      to.fill(5);
      from.buffer.getBytes(2, to.view, 9, length);
      assertArrayEquals(expected, to.bytes());
      ByteBuffer fixed = to.view.asReadOnlyBuffer();
      assertThrows(ReadOnlyBufferException.class, () -> from.buffer.getBytes(2, fixed, 9, 1));
    }
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldMovePositionsOfByteBuffers(Memory memory) {
    memory.fill(6);
    ByteBuffer to = ByteBuffer.allocate(20).position(4);
    memory.buffer.getBytes(1, to, 10);
    assertEquals(14, to.position());
    assertEquals(ByteBuffer.wrap(memory.bytes(1, 10)), to.slice(4, 10));

    ByteBuffer from = ByteBuffer.wrap(new byte[] {9, 8, 7, 6}).position(1);
    memory.buffer.putBytes(50, from, 3);
    assertEquals(4, from.position());
    assertArrayEquals(new byte[] {8, 7, 6}, memory.bytes(50, 3));
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldCopyArraysAndOverlappingRanges(Memory memory) {
    memory.fill(7);
    byte[] before = memory.bytes();
    memory.buffer.putBytes(10, memory.buffer, 0, 60);
    byte[] expected = before.clone();
    System.arraycopy(before, 0, expected, 10, 60);
    assertArrayEquals(expected, memory.bytes());

    byte[] array = {1, 2, 3, 4, 5};
    memory.buffer.putBytes(70, array);
    memory.buffer.putBytes(60, array, 1, 3);
    byte[] got = new byte[7];
    memory.buffer.getBytes(70, got, 1, 5);
    assertArrayEquals(new byte[] {0, 1, 2, 3, 4, 5, 0}, got);
    byte[] three = new byte[3];
    memory.buffer.getBytes(60, three);
    assertArrayEquals(new byte[] {2, 3, 4}, three);
  }

  @ParameterizedTest
  @MethodSource("memories")
  void shouldFillItsRangeAlone(Memory memory) {
    for (int length = 0; length < LENGTH - 2; length++) {
      memory.fill(8);
      byte[] expected = memory.bytes();
      Arrays.fill(expected, 1, 1 + length, (byte) 0xA5);
      memory.buffer.setMemory(1, length, (byte) 0xA5);
      assertArrayEquals(expected, memory.bytes());
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void shouldCompareByContent(List<Memory> pair) {
    SegmentBuffer left = pair.get(0).buffer;
    SegmentBuffer right = pair.get(1).buffer;
    pair.forEach(memory -> memory.fill(9));
    assertEquals(left, right);
    assertEquals(left.hashCode(), right.hashCode());
    assertEquals(0, left.compareTo(right));
    left.putByte(LENGTH - 1, (byte) (right.getByte(LENGTH - 1) ^ 0x80));
    assertNotEquals(left, right);
    int order = pair.get(0).view.compareTo(pair.get(1).view);
    assertEquals(order < 0, left.compareTo(right) < 0);
    SegmentBuffer shorter = new SegmentBuffer(right, 0, LENGTH - 1);
    assertNotEquals(right, shorter);
    assertTrue(shorter.compareTo(right) < 0);
    assertFalse(left.equals(null));
  }

  @Test
  void shouldTellWhereItsMemoryIs() {
    byte[] array = new byte[20];
    SegmentBuffer onHeap = new SegmentBuffer(array, 4, 10);
    assertSame(array, onHeap.byteArray());
    assertNull(onHeap.byteBuffer());
    assertEquals(4, onHeap.wrapAdjustment());
    assertThrows(IllegalStateException.class, onHeap::addressOffset);

    ByteBuffer direct = ByteBuffer.allocateDirect(20);
    SegmentBuffer whole = new SegmentBuffer(direct);
    SegmentBuffer part = new SegmentBuffer();
    part.wrap(whole, 6, 4);
    assertSame(direct, part.byteBuffer());
    assertNull(part.byteArray());
    assertEquals(6, part.wrapAdjustment());
    assertEquals(whole.addressOffset() + 6, part.addressOffset());
    assertEquals(4, part.capacity());
    assertFalse(part.isExpandable());

    part.wrap(whole.addressOffset(), 20);
    assertEquals(0, part.wrapAdjustment());
    assertNull(part.byteBuffer());
    part.wrap(array);
    assertEquals(20, part.capacity());
    assertEquals(0, new SegmentBuffer().capacity());
  }

  @Test
  void shouldRefuseToWrapWhatIsNotThere() {
    SegmentBuffer buffer = new SegmentBuffer(new byte[8]);
    byte[] array = new byte[8];
    ByteBuffer direct = ByteBuffer.allocateDirect(8);
    DirectBuffer other = new SegmentBuffer(direct);
    for (int[] part : new int[][] {{-1, 4}, {0, 9}, {5, 4}, {0, -1}, {Integer.MAX_VALUE, 2}}) {
      assertThrows(IllegalArgumentException.class, () -> buffer.wrap(array, part[0], part[1]));
      assertThrows(IllegalArgumentException.class, () -> buffer.wrap(direct, part[0], part[1]));
      assertThrows(IllegalArgumentException.class, () -> buffer.wrap(other, part[0], part[1]));
    }
    ByteBuffer fixed = ByteBuffer.wrap(array).asReadOnlyBuffer();
    assertThrows(IllegalArgumentException.class, () -> buffer.wrap(fixed));
    assertEquals(8, buffer.capacity());
  }
}
