package io.millrace.body;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a body, received in one record or several. Keeps no more than the received bytes,
 * within the memory for putting messages together. A peer could announce headers and never send all
 * of the headers. On the executor, one call at a time.
 */
final class HeaderAssembly {
  private static final byte[] NO_BYTES = {};

  private final AssemblyMemory memory;
  private final int wholeBytes;
  private byte[] bytes = NO_BYTES;

  HeaderAssembly(AssemblyMemory memory, int wholeBytes) {
    this.memory = memory;
    this.wholeBytes = wholeBytes;
  }

  /** Keeps the first bytes of this record, or returns the reason against the keeping. */
  @Nullable String add(byte[] record, int count) {
    String problem = count < wholeBytes ? memory.reserve(count) : null;
    if (problem == null) {
      int before = bytes.length;
      bytes = Arrays.copyOf(bytes, before + count);
      System.arraycopy(record, 0, bytes, before, count);
    }
    return problem;
  }

  boolean areWhole() {
    return bytes.length == wholeBytes;
  }

  /** Returns all header bytes, which are no longer kept here. */
  byte[] take() {
    byte[] whole = bytes;
    drop();
    return whole;
  }

  /** Nobody wants the headers. */
  void drop() {
    bytes = NO_BYTES;
    memory.release();
  }
}
