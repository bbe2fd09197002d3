package io.millrace.transfer;

/**
 * Bytes that a source lets be read where they lie. The source owns this and the array; both stay as
 * they are until the source is asked for more.
 */
public final class LentBytes {
  private static final byte[] NO_BYTES = {};

  private byte[] array = NO_BYTES;
  private int offset;
  private int length;

  /** Lends nothing yet. */
  public LentBytes() {}

  /** Says which bytes are lent. */
  public LentBytes set(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
    return this;
  }

  /** What the bytes lie in. */
  public byte[] array() {
    return array;
  }

  /** Of the first. */
  public int offset() {
    return offset;
  }

  /** How many. */
  public int length() {
    return length;
  }
}
