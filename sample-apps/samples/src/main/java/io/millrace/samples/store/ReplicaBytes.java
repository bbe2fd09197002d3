package io.millrace.samples.store;

import io.millrace.transfer.BodySource;
import java.io.IOException;

/**
 * Room for the bytes of an artifact at this daemon. A load writes the bytes in order; any number of
 * threads read complete bytes. Device memory would be a third implementation.
 */
interface ReplicaBytes {
  /** Returns the kind of memory of the bytes. */
  MemoryKind kind();

  /** Writes bytes at their place. */
  void write(long at, byte[] bytes, int offset, int length) throws IOException;

  /** Completes the bytes after all of them were written and verified. */
  void complete(Manifest manifest) throws IOException;

  /** Reads a part; the bytes stay readable until the source is closed, even after an eviction. */
  BodySource source(long offset, long length) throws IOException;

  /** Gives the room back. */
  void release();
}
