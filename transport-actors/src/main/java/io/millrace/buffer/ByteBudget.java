package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that several threads set aside and give back, never more than there are. */
public final class ByteBudget {
  private final long mostBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /** All of it free. */
  public ByteBudget(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Sets bytes aside; false, and nothing is, if fewer are left. */
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
   * Gives back what was set aside.
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

  /** Bytes that are set aside. */
  public long usedBytes() {
    return usedBytes.get();
  }
}
