package io.millrace.buffer;

import java.util.List;

/**
 * The memory that a node sets aside for the buffers of transfers.
 *
 * @param classes sizes of blocks, strictly rising
 * @param isOnHeap whether blocks are arrays, in which records are sealed in place, or native
 *     memory, which drivers can register
 * @param maxBufferBytes largest buffer; the blocks of the last class can hold it
 */
public record BufferSettings(List<BlockClass> classes, int maxBufferBytes, boolean isOnHeap) {
  /** The most bytes of a buffer. */
  public static final int MAX_BUFFER_BYTES = 1 << 29;

  /** The most blocks of all classes together. */
  public static final int MAX_BLOCKS = 1 << 24;

  /** Native memory. */
  public BufferSettings(List<BlockClass> classes, int maxBufferBytes) {
    this(classes, maxBufferBytes, false);
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException with one sentence
   */
  public BufferSettings {
    classes = List.copyOf(classes);
    if (classes.isEmpty()) {
      throw new IllegalArgumentException("the settings have no class of blocks");
    }
    long blocks = classes.getFirst().blocks();
    for (int i = 1; i < classes.size(); i++) {
      if (classes.get(i).blockBytes() <= classes.get(i - 1).blockBytes()) {
        throw new IllegalArgumentException("the sizes of blocks must rise from class to class");
      }
      blocks += classes.get(i).blocks();
    }
    if (blocks > MAX_BLOCKS) {
      throw new IllegalArgumentException(blocks + " blocks are more than " + MAX_BLOCKS);
    }
    long most = Math.min(MAX_BUFFER_BYTES, classes.getLast().totalBytes());
    if (maxBufferBytes < 1 || maxBufferBytes > most) {
      throw new IllegalArgumentException(
          "the largest buffer has 1 to "
              + most
              + " bytes, so that the largest blocks can hold it, not "
              + maxBufferBytes);
    }
  }
}
