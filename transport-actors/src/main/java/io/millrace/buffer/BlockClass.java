package io.millrace.buffer;

/**
 * Blocks of a single size.
 *
 * @param blockBytes bytes of a block, a multiple of 4096
 * @param blocks how many, at least 1
 */
public record BlockClass(int blockBytes, int blocks) {
  /** The size of a block is a multiple of this size. */
  public static final int UNIT_BYTES = 4096;

  /** The largest block. */
  public static final int MAX_BYTES = 1 << 29;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException with one sentence
   */
  public BlockClass {
    if (blockBytes < UNIT_BYTES || blockBytes > MAX_BYTES || blockBytes % UNIT_BYTES != 0) {
      throw new IllegalArgumentException(
          "a block has a multiple of " + UNIT_BYTES + " bytes up to 512 MiB, not " + blockBytes);
    }
    if (blocks < 1) {
      throw new IllegalArgumentException("a class has at least one block, not " + blocks);
    }
  }

  /** Bytes of all blocks. */
  public long totalBytes() {
    return (long) blockBytes * blocks;
  }
}
