package io.millrace.nic;

import io.millrace.config.LinkSettings;
import io.millrace.protocol.congestion.ReceiveBudget;

/**
 * Keeps the bytes that peers may send to a worker within the links of the NICs in use: the worker's
 * own NIC, until paths go by another NIC. A worker with paths by several NICs keeps to the least of
 * their numbers. On the worker's thread; does not allocate.
 */
public final class ReceiveLinks {
  private final WorkerEndpoints endpoints;
  private final ReceiveBudget budget;
  private final NicShare own;
  private final boolean[] isVisited;
  private long bytesPerSecond;
  private long queueBytes;
  private long grantBitsPerSecond;

  /** A worker that receives by its own NIC. */
  public ReceiveLinks(WorkerEndpoints endpoints, ReceiveBudget budget) {
    this.endpoints = endpoints;
    this.budget = budget;
    own = endpoints.description(0).share();
    isVisited = new boolean[endpoints.size()];
  }

  /** Paths may have changed their NICs, or other workers may receive by the same NICs. */
  public void refresh() {
    boolean isElsewhere = false;
    for (int i = 0; i < isVisited.length; i++) {
      NicShare nic = endpoints.description(i).share();
      boolean isVisiting = nic != own && endpoints.isUsed(i);
      if (isVisiting != isVisited[i]) {
        isVisited[i] = isVisiting;
        if (isVisiting) {
          nic.enter();
        } else {
          nic.leave();
        }
      }
      isElsewhere |= isVisiting;
    }
    begin();
    for (int i = 0; i < isVisited.length; i++) {
      NicShare nic = endpoints.description(i).share();
      if (isVisited[i] || nic == own && (!isElsewhere || endpoints.isUsed(i))) {
        add(nic.link(), nic.receivers());
      }
    }
    budget.onLink(bytesPerSecond, queueBytes, grantBitsPerSecond);
  }

  private void begin() {
    bytesPerSecond = 0;
    queueBytes = Long.MAX_VALUE;
    grantBitsPerSecond = 0;
  }

  private void add(LinkSettings link, int receivers) {
    if (link.isKnown()) {
      bytesPerSecond = lesser(bytesPerSecond, link.bytesPerSecond(receivers));
      queueBytes = Math.min(queueBytes, link.queueBytes() / receivers);
    }
    grantBitsPerSecond = lesser(grantBitsPerSecond, link.grantBitsPerSecond() / receivers);
  }

  /** The lesser of two rates, of which 0 is without a bound. */
  private static long lesser(long one, long other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }

  /** The worker ends. */
  public void close() {
    for (int i = 0; i < isVisited.length; i++) {
      if (isVisited[i]) {
        isVisited[i] = false;
        endpoints.description(i).share().leave();
      }
    }
  }
}
