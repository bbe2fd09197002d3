package io.millrace.transfer;

/**
 * Bytes that a source lets the reader read in place. The source owns this object and the array;
 * both stay unchanged until the reader asks the source for more.
 */
public final class LentBytes {
  private static final byte[] NO_BYTES = {};

  private byte[] array = NO_BYTES;
  private int offset;
  private int length;

  /** Lends nothing yet. */
  public LentBytes() {}

  /** Says which part of the array is lent. */
  public LentBytes set(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
    return this;
  }

  /** The array that holds the bytes. */
  public byte[] array() {
    return array;
  }

  /** The position of the first lent byte in the array. */
  public int offset() {
    return offset;
  }

  /** The number of lent bytes. */
  public int length() {
    return length;
  }
}
