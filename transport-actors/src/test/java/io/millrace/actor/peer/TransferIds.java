package io.millrace.actor.peer;

import io.millrace.protocol.transfer.TransferId;

/** Ids as a peer gives them. */
final class TransferIds {
  private TransferIds() {}

  /** The first call of this slot. */
  static long of(int slot) {
    return TransferId.of(0, 1, slot);
  }
}
