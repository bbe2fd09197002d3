package io.millrace.body;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The headers of one body, which may come in several records. Keeps no more than has come, within
 * the memory in which messages are put together: a peer could announce headers and never send them
 * all. On the executor, one call at a time.
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

  /** Keeps the first bytes of this record, or says why it cannot. */
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

  /** All of them, which are no longer kept here. */
  byte[] take() {
    byte[] whole = bytes;
    drop();
    return whole;
  }

  /** Nobody wants them. */
  void drop() {
    bytes = NO_BYTES;
    memory.release();
  }
}
