package io.millrace.body;

import io.millrace.crypto.Records;

/**
 * The buffer that the last notification of a body named, and where it begins: a buffer has one
 * place in its body and one run of nonces; rule W-17. Worker's thread only.
 */
public final class NamedBuffer {
  private static final long NONE = 0;

  private long id = NONE;
  private long start;

  NamedBuffer() {}

  /**
   * Whether a notification may say that the bytes at this position lie in this buffer, under this
   * nonce; it is the last one from now on.
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
