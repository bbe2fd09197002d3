package io.millrace.protocol.stream;

/**
 * Memory of the node for elements that have arrived and that no application has taken; bounded. It
 * outlives the flows, which give back all that they set aside.
 */
public interface ElementMemory {
  /** Set aside for each element besides its bytes. */
  int ELEMENT_BYTES = 64;

  /** What so many elements take that have these bytes in all. */
  static long cost(long elements, long bytes) {
    return elements * ELEMENT_BYTES + bytes;
  }

  /** Sets memory aside for what waits; false if there is none left. */
  boolean reserve(long bytes);

  /** Gives it back. */
  void giveBack(long bytes);

  /**
   * Sets memory aside for what an element that is put together has beyond its flow's window; false
   * if there is none left.
   */
  boolean reserveAssembly(long bytes);

  /** Gives it back. */
  void giveBackAssembly(long bytes);
}
