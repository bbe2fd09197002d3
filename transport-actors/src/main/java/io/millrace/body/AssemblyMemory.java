package io.millrace.body;

import org.jspecify.annotations.Nullable;

/**
 * What one body takes of the memory in which messages are put together, its node's and its
 * sender's. On the executor, one call at a time.
 */
final class AssemblyMemory {
  private final BodyServices services;
  private final PeerShares.Share share;
  private long reservedBytes;

  AssemblyMemory(BodyServices services, PeerShares.Share share) {
    this.services = services;
    this.share = share;
  }

  /** Sets bytes aside, or says which setting does not allow it; nothing is set aside then. */
  @Nullable String reserve(long bytes) {
    if (!share.assembly().reserve(bytes)) {
      return "messages of one peer being put together take all of"
          + " millrace.transfers.assembly-per-peer";
    }
    if (!services.assembly().reserve(bytes)) {
      share.assembly().giveBack(bytes);
      return "messages being put together take all of millrace.transfers.assembly";
    }
    reservedBytes += bytes;
    return null;
  }

  /** Gives everything back. */
  void release() {
    services.assembly().giveBack(reservedBytes);
    share.assembly().giveBack(reservedBytes);
    reservedBytes = 0;
  }
}
