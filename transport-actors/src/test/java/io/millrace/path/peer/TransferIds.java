package io.millrace.path.peer;

import io.millrace.protocol.transfer.TransferId;

/** Transfer ids as chosen by a peer. */
public final class TransferIds {
  private TransferIds() {}

  /** The first call of this slot. */
  public static long of(int slot) {
    return TransferId.of(0, 1, slot);
  }
}
