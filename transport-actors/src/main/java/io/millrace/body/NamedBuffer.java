package io.millrace.body;

import io.millrace.crypto.Records;

/**
 * The buffer named by the latest notification of a body, and the position at which the buffer
 * starts. A buffer has one place in a body and one run of nonces; rule W-17. Worker's thread only.
 */
public final class NamedBuffer {
  private static final long NONE = 0;

  private long id = NONE;
  private long start;

  NamedBuffer() {}

  /**
   * Whether a notification may place the bytes at this position in this buffer, under this nonce;
   * the buffer is the latest buffer from now on.
   */
  public boolean accept(long bufferId, long position, long nonce) {
    long claimed = position - nonce * Records.RECORD_BYTES;
    if (bufferId == NONE) {
      return true;
    }
    if (bufferId == id) {
      return claimed == start;
    }
    id = bufferId;
    start = claimed;
    return true;
  }
}
