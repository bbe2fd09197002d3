package io.millrace.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A buffer over an array, a byte buffer, another buffer or an address. For a single thread at a
 * time.
 *
 * <p>Numbers are in the byte order of the machine where no other order is given, at any alignment.
 * Every access checks the bounds, unless the property {@code agrona.disable.bounds.checks} says
 * otherwise. The buffer keeps the array or the byte buffer reachable for as long as the caller
 * holds the buffer; memory given by its address must outlive the buffer. Allocates nothing after
 * its construction, except for text.
 */
public final class SegmentBuffer extends BufferText {
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

  /**
   * The whole address space: the checks of the segment are constants for the compiler, and the
   * bounds of the buffer take their place.
   */
  private static final MemorySegment ALL = everything();

  private static final VarHandle ARRAY_LONG = ofArray(long[].class);
  private static final VarHandle ARRAY_INT = ofArray(int[].class);
  private static final VarHandle ARRAY_SHORT = ofArray(short[].class);
  private static final VarHandle NATIVE_LONG = ofNative(ValueLayout.JAVA_LONG_UNALIGNED);
  private static final VarHandle NATIVE_INT = ofNative(ValueLayout.JAVA_INT_UNALIGNED);
  private static final VarHandle NATIVE_SHORT = ofNative(ValueLayout.JAVA_SHORT_UNALIGNED);
  private static final VarHandle NATIVE_BYTE = ofNative(ValueLayout.JAVA_BYTE);

  /** The array of a buffer on the heap; null for memory outside the heap. */
  private byte @Nullable [] array;

  /** The first byte: an index in the array, or an address. */
  private long base;

  private int capacity;

  /** Keeps the memory reachable, where the memory came with a byte buffer. */
  private @Nullable ByteBuffer byteBuffer;

  /** A buffer over nothing. */
  public SegmentBuffer() {
    wrap(0, 0);
  }

  /**
   * A buffer over a whole array.
   *
   * @param bytes the array
   */
  public SegmentBuffer(byte[] bytes) {
    wrap(bytes);
  }

  /**
   * A buffer over a part of an array.
   *
   * @param bytes the array
   * @param offset its first byte
   * @param length its bytes
   */
  public SegmentBuffer(byte[] bytes, int offset, int length) {
    wrap(bytes, offset, length);
  }

  /**
   * A buffer over a whole byte buffer, from 0 to its capacity.
   *
   * @param bytes the byte buffer
   */
  public SegmentBuffer(ByteBuffer bytes) {
    wrap(bytes);
  }

  /**
   * A buffer over a part of a byte buffer.
   *
   * @param bytes the byte buffer
   * @param offset its first byte, from 0
   * @param length its bytes
   */
  public SegmentBuffer(ByteBuffer bytes, int offset, int length) {
    wrap(bytes, offset, length);
  }

  /**
   * A buffer over another one.
   *
   * @param buffer the other one
   */
  public SegmentBuffer(DirectBuffer buffer) {
    wrap(buffer);
  }

  /**
   * A buffer over a part of another one.
   *
   * @param buffer the other one
   * @param offset its first byte
   * @param length its bytes
   */
  public SegmentBuffer(DirectBuffer buffer, int offset, int length) {
    wrap(buffer, offset, length);
  }

  /**
   * A buffer over memory of the system.
   *
   * @param address where the memory begins; it outlives this buffer
   * @param length its bytes
   */
  public SegmentBuffer(long address, int length) {
    wrap(address, length);
  }

  @SuppressWarnings("restricted") // each access is checked against the bounds of a buffer
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  private static VarHandle ofArray(Class<?> view) {
    return MethodHandles.byteArrayViewVarHandle(view, NATIVE).withInvokeExactBehavior();
  }

  private static VarHandle ofNative(ValueLayout layout) {
    return layout.varHandle().withInvokeExactBehavior();
  }

  @Override
  public void wrap(byte[] bytes) {
    set(bytes, 0, bytes.length, null);
  }

  @Override
  public void wrap(byte[] bytes, int offset, int length) {
    checkPart(offset, length, bytes.length);
    set(bytes, offset, length, null);
  }

  @Override
  public void wrap(ByteBuffer buffer) {
    wrap(buffer, 0, buffer.capacity());
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException also for a byte buffer over an array that may not be written
   */
  @Override
  public void wrap(ByteBuffer buffer, int offset, int length) {
    checkPart(offset, length, buffer.capacity());
    if (buffer.isDirect()) {
      set(null, addressOf(buffer) + offset, length, buffer);
    } else if (buffer.hasArray()) {
      set(buffer.array(), (long) buffer.arrayOffset() + offset, length, buffer);
    } else {
      throw new IllegalArgumentException("the byte buffer's array may not be written");
    }
  }

  @Override
  public void wrap(DirectBuffer buffer) {
    wrap(buffer, 0, buffer.capacity());
  }

  @Override
  public void wrap(DirectBuffer buffer, int offset, int length) {
    checkPart(offset, length, buffer.capacity());
    if (buffer instanceof SegmentBuffer other) {
      set(other.array, other.base + offset, length, other.byteBuffer);
    } else {
      byte[] bytes = buffer.byteArray();
      set(bytes, firstByte(buffer, bytes) + offset, length, buffer.byteBuffer());
    }
  }

  @Override
  public void wrap(long address, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("a buffer of " + length + " bytes has a negative size");
    }
    set(null, address, length, null);
  }

  private void set(byte @Nullable [] array, long base, int length, @Nullable ByteBuffer owner) {
    this.array = array;
    this.base = base;
    capacity = length;
    byteBuffer = owner;
  }

  private static void checkPart(int offset, int length, int whole) {
    if (offset < 0 || length < 0 || offset > whole - length) {
      throw new IllegalArgumentException(
          "offset=" + offset + " length=" + length + " not valid for capacity=" + whole);
    }
  }

  /** The address of a direct buffer's byte 0. */
  private static long addressOf(ByteBuffer buffer) {
    return MemorySegment.ofBuffer(buffer).address() - buffer.position();
  }

  private static long firstByte(DirectBuffer buffer, byte @Nullable [] bytes) {
    return bytes == null ? buffer.addressOffset() : buffer.wrapAdjustment();
  }

  /**
   * The address of the first byte.
   *
   * @throws IllegalStateException for a buffer over an array: an offset for {@code Unsafe}, which
   *     other buffers give here, would be of no use to any other code
   */
  @Override
  public long addressOffset() {
    if (array != null) {
      throw new IllegalStateException("a buffer over an array has no address");
    }
    return base;
  }

  @Override
  @SuppressWarnings("NullAway") // the interface says null for memory outside the heap
  public byte[] byteArray() {
    return array;
  }

  @Override
  @SuppressWarnings("NullAway") // the interface says null for memory that came without one
  public ByteBuffer byteBuffer() {
    return byteBuffer;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  @Override
  public boolean isExpandable() {
    return false;
  }

  /**
   * The distance from the first byte of the array, or of the direct byte buffer, to the first byte
   * of this buffer.
   *
   * @return bytes; 0 for memory that was given by its address
   */
  @Override
  public int wrapAdjustment() {
    if (array != null) {
      return (int) base;
    }
    ByteBuffer owner = byteBuffer;
    return owner == null ? 0 : (int) (base - addressOf(owner));
  }

  @Override
  public void checkLimit(int limit) {
    if (limit > capacity) {
      throw new IndexOutOfBoundsException("limit=" + limit + " is beyond capacity=" + capacity);
    }
  }

  @Override
  public void boundsCheck(int index, int length) {
    if ((index | length | (capacity - length - index)) < 0 || length > capacity) {
      throw outOfBounds(index, length);
    }
  }

  /** Where an access begins. The length is at least 0. */
  private long checked(int index, int length) {
    if (SHOULD_BOUNDS_CHECK && (index < 0 || index > capacity - length)) {
      throw outOfBounds(index, length);
    }
    return base + index;
  }

  /** Where a range begins. */
  private long range(int index, int length) {
    if (SHOULD_BOUNDS_CHECK) {
      boundsCheck(index, length);
    }
    return base + index;
  }

  private IndexOutOfBoundsException outOfBounds(int index, int length) {
    return new IndexOutOfBoundsException(
        "index=" + index + " length=" + length + " capacity=" + capacity);
  }

  @Override
  public long getLong(int index) {
    long at = checked(index, Long.BYTES);
    byte[] bytes = array;
    return bytes == null ? (long) NATIVE_LONG.get(ALL, at) : (long) ARRAY_LONG.get(bytes, (int) at);
  }

  @Override
  public void putLong(int index, long value) {
    long at = checked(index, Long.BYTES);
    byte[] bytes = array;
    if (bytes == null) {
      NATIVE_LONG.set(ALL, at, value);
    } else {
      ARRAY_LONG.set(bytes, (int) at, value);
    }
  }

  @Override
  public int getInt(int index) {
    long at = checked(index, Integer.BYTES);
    byte[] bytes = array;
    return bytes == null ? (int) NATIVE_INT.get(ALL, at) : (int) ARRAY_INT.get(bytes, (int) at);
  }

  @Override
  public void putInt(int index, int value) {
    long at = checked(index, Integer.BYTES);
    byte[] bytes = array;
    if (bytes == null) {
      NATIVE_INT.set(ALL, at, value);
    } else {
      ARRAY_INT.set(bytes, (int) at, value);
    }
  }

  @Override
  public short getShort(int index) {
    long at = checked(index, Short.BYTES);
    byte[] bytes = array;
    return bytes == null
        ? (short) NATIVE_SHORT.get(ALL, at)
        : (short) ARRAY_SHORT.get(bytes, (int) at);
  }

  @Override
  public void putShort(int index, short value) {
    long at = checked(index, Short.BYTES);
    byte[] bytes = array;
    if (bytes == null) {
      NATIVE_SHORT.set(ALL, at, value);
    } else {
      ARRAY_SHORT.set(bytes, (int) at, value);
    }
  }

  @Override
  public byte getByte(int index) {
    long at = checked(index, Byte.BYTES);
    byte[] bytes = array;
    return bytes == null ? (byte) NATIVE_BYTE.get(ALL, at) : bytes[(int) at];
  }

  @Override
  public void putByte(int index, byte value) {
    long at = checked(index, Byte.BYTES);
    byte[] bytes = array;
    if (bytes == null) {
      NATIVE_BYTE.set(ALL, at, value);
    } else {
      bytes[(int) at] = value;
    }
  }

  @Override
  public long getLong(int index, ByteOrder byteOrder) {
    long value = getLong(index);
    return byteOrder == NATIVE ? value : Long.reverseBytes(value);
  }

  @Override
  public void putLong(int index, long value, ByteOrder byteOrder) {
    putLong(index, byteOrder == NATIVE ? value : Long.reverseBytes(value));
  }

  @Override
  public int getInt(int index, ByteOrder byteOrder) {
    int value = getInt(index);
    return byteOrder == NATIVE ? value : Integer.reverseBytes(value);
  }

  @Override
  public void putInt(int index, int value, ByteOrder byteOrder) {
    putInt(index, byteOrder == NATIVE ? value : Integer.reverseBytes(value));
  }

  @Override
  public short getShort(int index, ByteOrder byteOrder) {
    short value = getShort(index);
    return byteOrder == NATIVE ? value : Short.reverseBytes(value);
  }

  @Override
  public void putShort(int index, short value, ByteOrder byteOrder) {
    putShort(index, byteOrder == NATIVE ? value : Short.reverseBytes(value));
  }

  @Override
  public char getChar(int index) {
    return (char) getShort(index);
  }

  @Override
  public void putChar(int index, char value) {
    putShort(index, (short) value);
  }

  @Override
  public char getChar(int index, ByteOrder byteOrder) {
    return (char) getShort(index, byteOrder);
  }

  @Override
  public void putChar(int index, char value, ByteOrder byteOrder) {
    putShort(index, (short) value, byteOrder);
  }

  @Override
  public double getDouble(int index) {
    return Double.longBitsToDouble(getLong(index));
  }

  @Override
  public void putDouble(int index, double value) {
    putLong(index, Double.doubleToRawLongBits(value));
  }

  @Override
  public double getDouble(int index, ByteOrder byteOrder) {
    return Double.longBitsToDouble(getLong(index, byteOrder));
  }

  @Override
  public void putDouble(int index, double value, ByteOrder byteOrder) {
    putLong(index, Double.doubleToRawLongBits(value), byteOrder);
  }

  @Override
  public float getFloat(int index) {
    return Float.intBitsToFloat(getInt(index));
  }

  @Override
  public void putFloat(int index, float value) {
    putInt(index, Float.floatToRawIntBits(value));
  }

  @Override
  public float getFloat(int index, ByteOrder byteOrder) {
    return Float.intBitsToFloat(getInt(index, byteOrder));
  }

  @Override
  public void putFloat(int index, float value, ByteOrder byteOrder) {
    putInt(index, Float.floatToRawIntBits(value), byteOrder);
  }

  @Override
  public void setMemory(int index, int length, byte value) {
    try {
      long at = range(index, length);
      byte[] bytes = array;
      if (bytes == null) {
        ALL.asSlice(at, length).fill(value);
      } else {
        Arrays.fill(bytes, (int) at, (int) at + length, value);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void getBytes(int index, byte[] dst) {
    getBytes(index, dst, 0, dst.length);
  }

  @Override
  public void getBytes(int index, byte[] dst, int offset, int length) {
    long from = range(index, length);
    Objects.checkFromIndexSize(offset, length, dst.length);
    copy(array, from, dst, offset, length);
  }

  @Override
  public void getBytes(int index, MutableDirectBuffer dstBuffer, int dstIndex, int length) {
    dstBuffer.putBytes(dstIndex, this, index, length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int length) {
    int offset = dstBuffer.position();
    getBytes(index, dstBuffer, offset, length);
    dstBuffer.position(offset + length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int dstOffset, int length) {
    long from = range(index, length);
    Objects.checkFromIndexSize(dstOffset, length, dstBuffer.capacity());
    if (dstBuffer.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    try {
      if (dstBuffer.isDirect()) {
        copy(array, from, null, addressOf(dstBuffer) + dstOffset, length);
      } else {
        long to = (long) dstBuffer.arrayOffset() + dstOffset;
        copy(array, from, dstBuffer.array(), to, length);
      }
    } finally {
      Reference.reachabilityFence(dstBuffer);
    }
  }

  @Override
  public void putBytes(int index, byte[] src) {
    putBytes(index, src, 0, src.length);
  }

  @Override
  public void putBytes(int index, byte[] src, int offset, int length) {
    long to = range(index, length);
    Objects.checkFromIndexSize(offset, length, src.length);
    copy(src, offset, array, to, length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int length) {
    int offset = srcBuffer.position();
    putBytes(index, srcBuffer, offset, length);
    srcBuffer.position(offset + length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int srcIndex, int length) {
    long to = range(index, length);
    Objects.checkFromIndexSize(srcIndex, length, srcBuffer.capacity());
    try {
      if (srcBuffer.isDirect()) {
        copy(null, addressOf(srcBuffer) + srcIndex, array, to, length);
      } else if (srcBuffer.hasArray()) {
        long from = (long) srcBuffer.arrayOffset() + srcIndex;
        copy(srcBuffer.array(), from, array, to, length);
      } else {
        MemorySegment from = MemorySegment.ofBuffer(srcBuffer.duplicate().clear());
        MemorySegment.copy(from, srcIndex, segment(), index, length);
      }
    } finally {
      Reference.reachabilityFence(srcBuffer);
    }
  }

  @Override
  public void putBytes(int index, DirectBuffer srcBuffer, int srcIndex, int length) {
    try {
      long to = range(index, length);
      if (srcBuffer instanceof SegmentBuffer other) {
        copy(other.array, other.range(srcIndex, length), array, to, length);
      } else {
        srcBuffer.boundsCheck(srcIndex, length);
        byte[] bytes = srcBuffer.byteArray();
        copy(bytes, firstByte(srcBuffer, bytes) + srcIndex, array, to, length);
      }
    } finally {
      Reference.reachabilityFence(srcBuffer);
      Reference.reachabilityFence(this);
    }
  }

  /** Copies within the bounds of both sides, which may overlap. */
  private static void copy(
      byte @Nullable [] source, long from, byte @Nullable [] target, long to, int length) {
    if (source == null && target == null) {
      MemorySegment.copy(ALL, from, ALL, to, length);
    } else if (source == null) {
      MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, from, target, (int) to, length);
    } else if (target == null) {
      MemorySegment.copy(source, (int) from, ALL, ValueLayout.JAVA_BYTE, to, length);
    } else {
      System.arraycopy(source, (int) from, target, (int) to, length);
    }
  }

  private MemorySegment segment() {
    byte[] bytes = array;
    return (bytes == null ? ALL : MemorySegment.ofArray(bytes)).asSlice(base, capacity);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    try {
      return other instanceof SegmentBuffer buffer
          && capacity == buffer.capacity
          && segment().mismatch(buffer.segment()) < 0;
    } finally {
      Reference.reachabilityFence(this);
      Reference.reachabilityFence(other);
    }
  }

  @Override
  public int hashCode() {
    int hash = 1;
    try {
      for (int at = 0; at < capacity; at++) {
        hash = 31 * hash + getByte(at);
      }
    } finally {
      Reference.reachabilityFence(this);
    }
    return hash;
  }

  /** Compares byte by byte, as byte buffers do; the shorter of two equal buffers comes first. */
  @Override
  public int compareTo(DirectBuffer other) {
    int common = Math.min(capacity, other.capacity());
    for (int at = 0; at < common; at++) {
      int order = Byte.compare(getByte(at), other.getByte(at));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(capacity, other.capacity());
  }

  @Override
  public String toString() {
    return "SegmentBuffer{"
        + (array == null ? "address=" : "offset=")
        + base
        + ", capacity="
        + capacity
        + '}';
  }
}
