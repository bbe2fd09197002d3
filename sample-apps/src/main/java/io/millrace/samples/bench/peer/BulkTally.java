package io.millrace.samples.bench.peer;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What a receiver has of one transfer: how many bytes, and which if it verifies. One thread. */
public final class BulkTally {
  private final CRC32C checksum = new CRC32C();
  private final boolean verifying;
  private long bytes;

  /** Counts; with {@code verifying} it looks at every byte, too. */
  public BulkTally(boolean verifying) {
    this.verifying = verifying;
  }

  /** Whether it wants to see the bytes. */
  public boolean isVerifying() {
    return verifying;
  }

  /** Takes bytes that came and that nobody has to look at. */
  public void onBytes(int length) {
    bytes += length;
  }

  /** Takes what is left in {@code buffer}, whose position moves when it verifies. */
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

  /** Bytes that came. */
  public long bytes() {
    return bytes;
  }

  /** CRC-32C of all of them, 0 unless it verifies. */
  public long checksum() {
    return verifying ? checksum.getValue() : 0;
  }
}
