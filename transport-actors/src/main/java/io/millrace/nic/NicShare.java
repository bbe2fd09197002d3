package io.millrace.nic;

import io.millrace.config.LinkSettings;
import io.millrace.config.NicRates;
import io.millrace.protocol.schedule.SendRate;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The parts of one NIC that the workers of the node share. The send rate is a single time at which
 * the next train of any worker may start: each change is one compare-and-set, repeated when another
 * worker was faster. The link that leads to the NIC is divided evenly among the workers of the NIC
 * and the visitors: workers of other NICs that receive by this NIC. Any thread; does not allocate.
 */
public final class NicShare implements SendRate {
  private final NicRates rates;
  private final int workers;
  private final AtomicInteger visitors = new AtomicInteger();

  /** The end of all turns taken so far, ns. */
  private final AtomicLong nextNs = new AtomicLong(Long.MIN_VALUE);

  /** The longest packet of all workers that is longer than a train, ns. */
  private final AtomicLong longestNs = new AtomicLong();

  /**
   * A NIC that has sent nothing.
   *
   * @param workers the number of workers with this NIC as their own
   */
  public NicShare(NicRates rates, int workers) {
    this.rates = rates;
    this.workers = workers;
  }

  /** A worker of another NIC begins to receive by this NIC. */
  void enter() {
    visitors.incrementAndGet();
  }

  /** A worker of another NIC does not receive by this NIC any more. */
  void leave() {
    visitors.decrementAndGet();
  }

  /** The number of workers that share the link, 1 or more. */
  int receivers() {
    return Math.max(1, workers + visitors.get());
  }

  /** The link that leads to the NIC. */
  public LinkSettings link() {
    return rates.link();
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

  @Override
  public long longestNs(long packetNs) {
    long longest = longestNs.get();
    while (packetNs > longest) {
      if (longestNs.compareAndSet(longest, packetNs)) {
        return packetNs;
      }
      longest = longestNs.get();
    }
    return longest;
  }
}
