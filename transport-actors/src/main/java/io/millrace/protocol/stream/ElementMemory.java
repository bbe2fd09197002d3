package io.millrace.protocol.stream;

/**
 * Memory of the node for arrived elements that no application has taken; bounded. The memory
 * outlives the flows, and the flows give back all memory that they set aside.
 */
public interface ElementMemory {
  /** Bytes set aside for each element besides its content. */
  int ELEMENT_BYTES = 64;

  /** The memory of this number of elements with these bytes in all. */
  static long cost(long elements, long bytes) {
    return elements * ELEMENT_BYTES + bytes;
  }

  /** Sets memory aside for waiting elements; false without enough memory. */
  boolean reserve(long bytes);

  /** Gives reserved memory back. */
  void giveBack(long bytes);

  /**
   * Sets memory aside for the part of an assembled element beyond the flow's window; false without
   * enough memory.
   */
  boolean reserveAssembly(long bytes);

  /** Gives reserved memory back. */
  void giveBackAssembly(long bytes);
}
