package io.millrace.samples.store;

import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.util.Optional;

/**
 * Where a load can get bytes. The daemon's are its folder, other daemons and the origins; a test
 * has its own.
 */
interface Sources {
  /** The bytes from {@code offset} on, from another kind of memory of this daemon. */
  Optional<BodySource> local(Manifest manifest, MemoryKind kind, long offset) throws IOException;

  /**
   * Reads from other daemons until all is there, or none of them has what is missing.
   *
   * @param mayWait whether to wait for a source that is busy, because there is nothing else
   * @throws StoreException if there is no way to know of other daemons
   */
  void fromPeers(LoadJob job, ArrivingBytes arriving, boolean mayWait)
      throws IOException, InterruptedException;

  /** The bytes from {@code offset} on, from the disk origin. */
  Optional<BodySource> origin(Manifest manifest, long offset) throws IOException;
}
