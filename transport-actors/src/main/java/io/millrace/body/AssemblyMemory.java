package io.millrace.body;

import org.jspecify.annotations.Nullable;

/**
 * The memory of one body for putting messages together, counted for the node and for the sender. On
 * the executor, one call at a time.
 */
final class AssemblyMemory {
  private final BodyServices services;
  private final PeerShares.Share share;
  private long reservedBytes;

  AssemblyMemory(BodyServices services, PeerShares.Share share) {
    this.services = services;
    this.share = share;
  }

  /** Sets bytes aside, or names the setting against the reservation; nothing is set aside then. */
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
