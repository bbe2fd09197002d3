package io.millrace.path.call;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;

/**
 * The patience of one call with a peer that is not ready: for so long the call waits unsent in
 * place of failing. The time runs from the first refusal of the call, whether or not the call waits
 * without a break. On the worker's thread.
 */
public final class ReadyWait extends Timer {
  private final long limitNs;
  private boolean hasBegun;
  private long overNs;
  private long heldBytes;

  ReadyWait(TimerHandler onOver, long limitNs) {
    super(onOver, 0);
    this.limitNs = limitNs;
  }

  /** The limit, ns. */
  public long limitNs() {
    return limitNs;
  }

  /** The call waits, and counts for so many bytes. */
  public void held(long bytes) {
    heldBytes = bytes;
  }

  /** The bytes that the call counts for while the call waits. */
  public long heldBytes() {
    return heldBytes;
  }

  /** The end of the wait, ns; the first question begins the wait. */
  public long overNs(long nowNs) {
    if (!hasBegun) {
      hasBegun = true;
      overNs = nowNs + limitNs;
    }
    return overNs;
  }
}
