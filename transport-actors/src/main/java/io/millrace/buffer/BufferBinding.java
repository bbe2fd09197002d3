package io.millrace.buffer;

import java.util.Arrays;

/**
 * The link between the ciphertext in a buffer and the message that announces the ciphertext: the
 * data key, the nonce of the first record, and a tag for each record. Written by the sealing thread
 * only; read by any holder of the filled buffer. The key is overwritten when the buffer is freed.
 */
public final class BufferBinding {
  /** Bytes of plaintext in a record; the last of a buffer may be shorter. */
  public static final int RECORD_BYTES = 64 * 1024;

  /** Bytes of the tag of a record. */
  public static final int TAG_BYTES = 16;

  private final byte[] dataKey;
  private final long firstNonce;
  private final byte[] tags;
  private final Runnable onErased;

  BufferBinding(byte[] dataKey, long firstNonce, int records, Runnable onErased) {
    this.dataKey = dataKey.clone();
    this.firstNonce = firstNonce;
    this.onErased = onErased;
    this.tags = new byte[records * TAG_BYTES];
  }

  /** The number of records that {@code bytes} bytes make. */
  public static int records(int bytes) {
    return (int) (((long) bytes + RECORD_BYTES - 1) / RECORD_BYTES);
  }

  /** The data key itself, 16 or 32 bytes, not a copy: to be read only. */
  public byte[] dataKey() {
    return dataKey;
  }

  /** Nonce of the first record; the nonces of further records follow. */
  public long firstNonce() {
    return firstNonce;
  }

  /** The tags themselves, not a copy, with room for as many records as the buffer has room for. */
  public byte[] tags() {
    return tags;
  }

  void erase() {
    Arrays.fill(dataKey, (byte) 0);
    onErased.run();
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "BufferBinding[first nonce " + firstNonce + ", key redacted]";
  }
}
