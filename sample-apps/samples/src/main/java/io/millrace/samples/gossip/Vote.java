package io.millrace.samples.gossip;

import io.millrace.samples.file.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;

/**
 * The subject of a leader's proposal and of validators' votes: a height and the digest of its
 * block. A vote has 40 bytes, which go inline in one datagram.
 */
final class Vote {
  /** Length, bytes. */
  static final int BYTES = Long.BYTES + 32;

  /** Length of the block under the digest, bytes. */
  private static final int BLOCK_BYTES = 1024;

  private final long height;
  private final byte[] digest;

  private Vote(long height, byte[] digest) {
    this.height = height;
    this.digest = digest;
  }

  /** Returns the right vote for this height. */
  static Vote of(long height) {
    return new Vote(height, Sha256.begin().digest(block(height, BLOCK_BYTES)));
  }

  /** Returns the first bytes of the block of this height, which is its number, over and over. */
  static byte[] block(long height, int bytes) {
    ByteBuffer block = ByteBuffer.allocate(bytes);
    while (block.remaining() >= Long.BYTES) {
      block.putLong(height);
    }
    return block.array();
  }

  long height() {
    return height;
  }

  ByteString encode() {
    return ByteString.fromArrayUnsafe(
        ByteBuffer.allocate(BYTES).putLong(height).put(digest).array());
  }

  /** Returns whether these bytes are this vote. */
  boolean isEncodedAs(DirectBuffer buffer, int offset, int length) {
    if (length != BYTES || heightOf(buffer, offset) != height) {
      return false;
    }
    for (int i = 0; i < digest.length; i++) {
      if (buffer.getByte(offset + Long.BYTES + i) != digest[i]) {
        return false;
      }
    }
    return true;
  }

  static long heightOf(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset, ByteOrder.BIG_ENDIAN);
  }
}
