package io.millrace.crypto;

/** The length of the AES keys of a path: the longer of the lengths that the two sides want. */
public enum AesKeySize {
  /** 16 bytes, the default. */
  AES_128(16),
  /** 32 bytes. */
  AES_256(32);

  private final int bytes;

  AesKeySize(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of a key. */
  public int bytes() {
    return bytes;
  }

  /** The longer of this and another. */
  public AesKeySize orLonger(AesKeySize other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /**
   * The size of this length in bytes.
   *
   * @throws IllegalArgumentException if no size has this length
   */
  public static AesKeySize ofBytes(int bytes) {
    for (AesKeySize size : values()) {
      if (size.bytes == bytes) {
        return size;
      }
    }
    throw new IllegalArgumentException("an AES key has 16 or 32 bytes, not " + bytes);
  }
}
