package io.millrace.samples.log.core;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;

/**
 * Reads the fields that {@link FieldWriter} wrote. The bytes may come from anywhere: each method
 * throws {@link IllegalArgumentException} if the field is missing.
 */
public final class FieldReader {
  private final ByteBuffer in;

  /** Reads from the beginning. */
  public FieldReader(ByteString bytes) {
    in = ByteBuffer.wrap(bytes.toArrayUnsafe());
  }

  /** Reads eight bytes. */
  public long number() {
    try {
      return in.getLong();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Reads four bytes. */
  public int small() {
    try {
      return in.getInt();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Reads a length and this number of bytes. */
  public ByteString bytes() {
    byte[] value = new byte[count(1)];
    in.get(value);
    return ByteString.fromArrayUnsafe(value);
  }

  /**
   * Reads the number of items to follow, each of at least {@code leastBytes}; never more items than
   * the rest of the message has room for.
   */
  public int count(int leastBytes) {
    int count = small();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw new IllegalArgumentException("the message says that " + count + " items follow");
    }
    return count;
  }

  /** Requires that the message ends here. */
  public void end() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many in the message");
    }
  }

  private static IllegalArgumentException tooShort(BufferUnderflowException cause) {
    return new IllegalArgumentException("the message is too short", cause);
  }
}
