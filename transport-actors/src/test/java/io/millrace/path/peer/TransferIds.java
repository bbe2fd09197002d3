package io.millrace.path.peer;

import io.millrace.protocol.transfer.TransferId;

/** Ids as a peer gives them. */
public final class TransferIds {
  private TransferIds() {}

  /** The first call of this slot. */
  public static long of(int slot) {
    return TransferId.of(0, 1, slot);
  }
}
