package io.millrace.nic;

import io.millrace.config.NicRates;
import io.millrace.protocol.schedule.SendRate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The send rate of one NIC, shared by all workers that send through the NIC: a single time at which
 * the next train of any worker may start. Each change is one compare-and-set, repeated when another
 * worker was faster. Any thread; does not allocate.
 */
public final class NicShare implements SendRate {
  private final NicRates rates;

  /** The end of all turns taken so far, ns. */
  private final AtomicLong nextNs = new AtomicLong(Long.MIN_VALUE);

  /** A NIC that has sent nothing. */
  public NicShare(NicRates rates) {
    this.rates = rates;
  }

  /** The rate of a NIC's endpoints: without a limit for a NIC without a rate. */
  public SendRate sendRate() {
    return bitsPerSecond() == 0 ? SendRate.UNLIMITED : this;
  }

  @Override
  public long bitsPerSecond() {
    return rates.send().bitsPerSecond();
  }

  @Override
  public long take(long nowNs, long lengthNs) {
    while (true) {
      long next = nextNs.get();
      long startNs = Math.max(next, nowNs);
      if (nextNs.compareAndSet(next, startNs + lengthNs)) {
        return startNs;
      }
    }
  }

  @Override
  public void settle(long changeNs, long earliestNs) {
    while (true) {
      long next = nextNs.get();
      if (nextNs.compareAndSet(next, Math.max(next + changeNs, earliestNs))) {
        return;
      }
    }
  }
}
