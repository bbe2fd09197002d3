package io.millrace.testkit.internal.fabric;

import java.lang.foreign.MemorySegment;

/** Memory registered by an endpoint, under a key that is never used again. */
final class FabricRegistration {
  private final MemorySegment memory;
  private final long key;
  private final long base;
  private final boolean remoteWrite;
  private int reads;
  private boolean ended;

  FabricRegistration(MemorySegment memory, long key, long base, boolean remoteWrite) {
    this.memory = memory;
    this.key = key;
    this.base = base;
    this.remoteWrite = remoteWrite;
  }

  MemorySegment memory() {
    return memory;
  }

  long key() {
    return key;
  }

  long base() {
    return base;
  }

  /** Whether peers may write these bytes. */
  boolean admits(long address, long length) {
    long at = address - base;
    return remoteWrite && at >= 0 && length >= 0 && at <= memory.byteSize() - length;
  }

  /** A write that reads from the memory has begun. */
  void onRead() {
    reads++;
  }

  /** Such a write has ended. */
  void onReadEnded() {
    reads--;
  }

  /** Whether a write under way reads from the memory. */
  boolean isRead() {
    return reads > 0;
  }

  boolean isEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }
}
