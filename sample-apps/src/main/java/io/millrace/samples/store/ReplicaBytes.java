package io.millrace.samples.store;

import io.millrace.transfer.BodySource;
import java.io.IOException;

/**
 * Room for the bytes of one artifact at this daemon. Written in order while a load runs; read by
 * any number of threads once it is complete. Device memory would be a third one.
 */
interface ReplicaBytes {
  /** What the bytes lie in. */
  MemoryKind kind();

  /** Writes bytes at their place. */
  void write(long at, byte[] bytes, int offset, int length) throws IOException;

  /** All bytes were written and verified. */
  void complete(Manifest manifest) throws IOException;

  /** Reads a part; the bytes stay readable until the source is closed, even when evicted. */
  BodySource source(long offset, long length) throws IOException;

  /** Gives the room back. */
  void release();
}
