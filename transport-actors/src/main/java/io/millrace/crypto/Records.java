package io.millrace.crypto;

import io.millrace.transfer.Protection;

/**
 * The bodies of transfers are sealed in records: {@value #RECORD_BYTES} bytes of plaintext, the
 * last record of a body fewer. Usually the whole record is enciphered; else only the leading bytes
 * are, and the other bytes are the additional data and stay unchanged ({@link Protection}). The
 * nonce is 4 bytes of zero and the number of the record under its key, 8 bytes, big endian.
 */
public final class Records {
  /** Bytes of plaintext in a record. */
  public static final int RECORD_BYTES = 64 * 1024;

  /** Bytes of a record's tag. */
  public static final int TAG_BYTES = PacketCipher.TAG_LENGTH;

  private Records() {}

  /** How many records {@code bytes} bytes make. */
  public static long count(long bytes) {
    return bytes / RECORD_BYTES + (bytes % RECORD_BYTES == 0 ? 0 : 1);
  }
}
