package io.millrace.buffer;

/**
 * The places of the messages of an allocation. The messages lie behind each other, each either
 * within a single block or from the start of a block on, so that a message's pieces are as long as
 * blocks are.
 */
final class BatchLayout {
  /** Keeps two messages from sharing a line of the cache. */
  private static final int ALIGNMENT = 64;

  private final long[] starts;
  private final int[] lengths;
  private final int blockBytes;
  private final long blocks;

  /**
   * Lays the messages out.
   *
   * @param lengths bytes of each, 1 or more
   * @throws IllegalArgumentException if the batch has no message, or a message is empty
   */
  BatchLayout(int[] lengths, int blockBytes) {
    this.lengths = lengths;
    this.blockBytes = blockBytes;
    starts = new long[lengths.length];
    long end = 0;
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 1) {
        throw new IllegalArgumentException("a message of a batch has " + lengths[i] + " bytes");
      }
      long at = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
      long within = at % blockBytes;
      if (within != 0 && lengths[i] > blockBytes - within) {
        at += blockBytes - within;
      }
      starts[i] = at;
      end = at + lengths[i];
    }
    if (end == 0) {
      throw new IllegalArgumentException("a batch of no messages");
    }
    blocks = (end + blockBytes - 1) / blockBytes;
  }

  /** Bytes of all blocks. */
  long totalBytes() {
    return blocks * blockBytes;
  }

  int messages() {
    return lengths.length;
  }

  int lengthBytes(int message) {
    return lengths[message];
  }

  /** The block in which a message begins, from 0. */
  int firstBlock(int message) {
    return (int) (starts[message] / blockBytes);
  }

  /** The offset of a message in its first block. */
  int offset(int message) {
    return (int) (starts[message] % blockBytes);
  }

  /** The block behind the message's last block. */
  int endBlock(int message) {
    return (int) ((starts[message] + lengths[message] + blockBytes - 1) / blockBytes);
  }
}
