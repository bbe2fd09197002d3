package io.millrace.samples.bench.peer;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A receiver's account of a transfer: the number of bytes, and a checksum for a verifying transfer.
 * For one thread.
 */
public final class BulkTally {
  private final CRC32C checksum = new CRC32C();
  private final boolean verifying;
  private long bytes;

  /** Counts bytes; with {@code verifying} the tally looks at every byte, too. */
  public BulkTally(boolean verifying) {
    this.verifying = verifying;
  }

  /** Whether the tally needs to see the bytes. */
  public boolean isVerifying() {
    return verifying;
  }

  /** Takes received bytes without a look at them. */
  public void onBytes(int length) {
    bytes += length;
  }

  /** Takes the remaining bytes in {@code buffer}, whose position moves in a verifying tally. */
  public void onBytes(ByteBuffer buffer) {
    bytes += buffer.remaining();
    if (verifying) {
      checksum.update(buffer);
    }
  }

  /** Takes these bytes. */
  public void onBytes(byte[] from, int offset, int length) {
    bytes += length;
    if (verifying) {
      checksum.update(from, offset, length);
    }
  }

  /** The number of received bytes. */
  public long bytes() {
    return bytes;
  }

  /** CRC-32C of all bytes, 0 without verifying. */
  public long checksum() {
    return verifying ? checksum.getValue() : 0;
  }
}
