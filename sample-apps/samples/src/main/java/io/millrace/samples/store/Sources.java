package io.millrace.samples.store;

import io.millrace.transfer.BodySource;
import java.io.IOException;
import java.util.Optional;

/**
 * The sources of a load's bytes. The sources of a daemon are its folder, other daemons and the
 * origins; a test has its own.
 */
interface Sources {
  /** Returns the bytes from {@code offset} on, from another kind of memory of this daemon. */
  Optional<BodySource> local(Manifest manifest, MemoryKind kind, long offset) throws IOException;

  /**
   * Reads from other daemons until all bytes are here, or no daemon has the missing bytes.
   *
   * @param mayWait whether to wait for a busy source, because there is no other source
   * @throws StoreException if other daemons cannot be found
   */
  void fromPeers(LoadJob job, ArrivingBytes arriving, boolean mayWait)
      throws IOException, InterruptedException;

  /** Returns the bytes from {@code offset} on, from the disk origin. */
  Optional<BodySource> origin(Manifest manifest, long offset) throws IOException;
}
