package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that several threads set aside and give back, never more than the budget has. */
public final class ByteBudget {
  private final long mostBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /** Creates a budget with all bytes free. */
  public ByteBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Sets bytes aside; false, without an effect, if fewer bytes are left. */
  public boolean reserve(long bytes) {
    long used = usedBytes.get();
    while (bytes <= mostBytes - used) {
      long seen = usedBytes.compareAndExchange(used, used + bytes);
      if (seen == used) {
        return true;
      }
      used = seen;
    }
    return false;
  }

  /**
   * Gives back bytes that were set aside.
   *
   * @throws IllegalStateException if less is set aside: nothing has happened
   */
  public void giveBack(long bytes) {
    long used = usedBytes.get();
    while (bytes <= used) {
      long seen = usedBytes.compareAndExchange(used, used - bytes);
      if (seen == used) {
        return;
      }
      used = seen;
    }
    throw new IllegalStateException(
        bytes + " bytes were given back, and " + used + " are set aside");
  }

  /** Bytes set aside at present. */
  public long usedBytes() {
    return usedBytes.get();
  }
}
