package io.millrace.samples.log.core;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.pekko.util.ByteString;

/**
 * Reads what {@link FieldWriter} wrote. The bytes may come from anywhere: each method throws {@link
 * IllegalArgumentException} if the field is not there.
 */
public final class FieldReader {
  private final ByteBuffer in;

  /** Reads from the beginning. */
  public FieldReader(ByteString bytes) {
    in = ByteBuffer.wrap(bytes.toArrayUnsafe());
  }

  /** Eight bytes. */
  public long number() {
    try {
      return in.getLong();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Four bytes. */
  public int small() {
    try {
      return in.getInt();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** A length and so many bytes. */
  public ByteString bytes() {
    byte[] value = new byte[count(1)];
    in.get(value);
    return ByteString.fromArrayUnsafe(value);
  }

  /** How many items follow, each of so many bytes at least; never more than there is room for. */
  public int count(int leastBytes) {
    int count = small();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw new IllegalArgumentException("the message says that " + count + " items follow");
    }
    return count;
  }

  /** Nothing may follow. */
  public void end() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many in the message");
    }
  }

  private static IllegalArgumentException tooShort(BufferUnderflowException cause) {
    return new IllegalArgumentException("the message is too short", cause);
  }
}
