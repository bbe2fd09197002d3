package io.millrace.protocol.transfer;

/**
 * An executing call whose answer others make: {@link ServedCalls} keeps the work on the call in
 * place of the {@link ServedCall}, whose frame is needed for the answer alone. Owned by the path's
 * worker; an object may park one call after another.
 */
public abstract non-sealed class ParkedCall implements ServedEntry, ServedWork {
  private long transferId;
  private byte priority;
  private boolean isCausal;

  /** Begins to stand for a call. */
  void stand(ServedCall call) {
    transferId = call.transferId();
    priority = (byte) call.priority();
    isCausal = call.isCausal();
  }

  final long transferId() {
    return transferId;
  }

  /** Whether other calls may wait for the call. */
  final boolean isCausal() {
    return isCausal;
  }

  /** The priority of the parked call. */
  public final int priority() {
    return priority;
  }
}
