package io.millrace.wire;

import io.millrace.memory.SegmentBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * The prefix of the headers of a request whose pattern has {@link #FLAG}: the request's token, its
 * number, and the numbers that the request waits for; rule D-4.
 *
 * <pre>
 *  0 length of all this, u16      12 floor, u64          36 origin's token, u64
 *  2 count of dependencies, u16   20 token, u64          44 dependencies, u16 each:
 *  4 number or 0, u64             28 origin's node, u64     number - floor, and 32768 if it cascades
 * </pre>
 */
public final class CausalPrefix {
  /** Bit of the pattern. */
  public static final int FLAG = 0x40;

  /** Stands for the token of a failure whose root the receiver does not know. */
  public static final long UNKNOWN_ROOT = -1;

  /** Most dependencies. */
  public static final int MOST_DEPENDENCIES = 64;

  /** Bytes in front of the dependencies. */
  public static final int FIXED_LENGTH = 44;

  private static final int COUNT = 2;
  private static final int NUMBER = 4;
  private static final int FLOOR = 12;
  private static final int TOKEN = 20;
  private static final int ORIGIN_NODE = 28;
  private static final int ORIGIN_TOKEN = 36;
  private static final int CASCADES = 0x8000;
  private static final int MASK = 0xFFFF;

  private final SegmentBuffer bytes = new SegmentBuffer(0, 0);

  /** Creates a prefix that wraps nothing. */
  public CausalPrefix() {}

  /** Length with this number of dependencies. */
  public static int length(int dependencies) {
    return FIXED_LENGTH + dependencies * Short.BYTES;
  }

  /** Begins a new prefix in these bytes, an array of sufficient length. */
  public CausalPrefix start(byte[] array, int dependencies, long token, long node, long origin) {
    bytes.wrap(array);
    putShort(0, length(dependencies));
    putShort(COUNT, dependencies);
    putLong(TOKEN, token);
    putLong(ORIGIN_NODE, node);
    putLong(ORIGIN_TOKEN, origin);
    return this;
  }

  /** Sets the fields that are known at the first sending of the request. */
  public CausalPrefix stamp(byte[] array, long number, long floor) {
    bytes.wrap(array);
    putLong(NUMBER, number);
    putLong(FLOOR, floor);
    return this;
  }

  /** Sets a dependency; after {@link #stamp}. */
  public void putDependency(int index, long number, boolean isCascading) {
    putShort(
        FIXED_LENGTH + index * Short.BYTES,
        (int) (number - floor()) | (isCascading ? CASCADES : 0));
  }

  /** Wraps an arrived prefix; false if the prefix is malformed. */
  public boolean wrap(DirectBuffer buffer, int offset, int headersLength) {
    if (headersLength < FIXED_LENGTH) {
      return false;
    }
    int length = buffer.getShort(offset, ByteOrder.LITTLE_ENDIAN) & MASK;
    if (length > headersLength || length < FIXED_LENGTH) {
      return false;
    }
    bytes.wrap(buffer, offset, length);
    return dependencies() <= MOST_DEPENDENCIES && length == length(dependencies());
  }

  /** Length of all. */
  public int length() {
    return getShort(0);
  }

  /** The number of dependencies. */
  public int dependencies() {
    return getShort(COUNT);
  }

  /** The request's number, or 0. */
  public long number() {
    return getLong(NUMBER);
  }

  /** The smallest number that the sender keeps. */
  public long floor() {
    return getLong(FLOOR);
  }

  /** The sender's token. */
  public long token() {
    return getLong(TOKEN);
  }

  /** Incarnation of the node where the chain began. */
  public long originNode() {
    return getLong(ORIGIN_NODE);
  }

  /** The token of the chain's origin. */
  public long originToken() {
    return getLong(ORIGIN_TOKEN);
  }

  /** The number of a dependency. */
  public long dependency(int index) {
    return floor() + (getShort(FIXED_LENGTH + index * Short.BYTES) & ~CASCADES);
  }

  /** Whether the failure of a dependency is the failure of this request. */
  public boolean isCascading(int index) {
    return (getShort(FIXED_LENGTH + index * Short.BYTES) & CASCADES) != 0;
  }

  private int getShort(int at) {
    return bytes.getShort(at, ByteOrder.LITTLE_ENDIAN) & MASK;
  }

  private long getLong(int at) {
    return bytes.getLong(at, ByteOrder.LITTLE_ENDIAN);
  }

  private void putShort(int at, int value) {
    bytes.putShort(at, (short) value, ByteOrder.LITTLE_ENDIAN);
  }

  private void putLong(int at, long value) {
    bytes.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
  }
}
