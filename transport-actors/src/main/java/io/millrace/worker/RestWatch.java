package io.millrace.worker;

import io.millrace.buffer.BufferRegistry;
import io.millrace.nic.WorkerEndpoints;

/**
 * Gives memory back that a worker has used and does not need now. Once traffic worth the name has
 * passed, the watch has a deadline every {@value #PERIOD_NS} ns until a period had next to none.
 * Then pages of free network buffers go to the system, and blocks that nobody held in this period
 * to the collector. After this period no deadline exists until traffic returns. Only turns that
 * found nothing to do come here. On the worker's thread; does not allocate.
 */
final class RestWatch {
  /** The time for which a worker moves next to nothing before giving memory back, ns. */
  static final long PERIOD_NS = 10_000_000_000L;

  /** Probes and a few small calls in a period, which touch little memory, are less. */
  static final long TRAFFIC_BYTES = 256 << 10;

  private final WorkerEndpoints endpoints;
  private final BufferRegistry buffers;

  /**
   * The bytes that the endpoints had moved when the period began, or when memory was given back.
   */
  private long movedBytes;

  private long beganNs;

  /** Whether the endpoints' memory was given back since the last traffic. */
  private boolean isGivenBack;

  /** The end of the period. */
  private long dueNs = Long.MAX_VALUE;

  RestWatch(WorkerEndpoints endpoints, BufferRegistry buffers) {
    this.endpoints = endpoints;
    this.buffers = buffers;
  }

  /** A turn that found nothing to do. */
  void onIdleTurn(long nowNs) {
    if (dueNs == Long.MAX_VALUE) {
      if (hasTraffic()) {
        isGivenBack = false;
        buffers.onLook(nowNs);
        begin(nowNs);
      }
    } else if (nowNs >= dueNs) {
      onPeriodEnded(nowNs);
    }
  }

  /** The next turn that this watch wants. */
  long nextDeadlineNs() {
    return dueNs;
  }

  private void onPeriodEnded(long nowNs) {
    int kept = buffers.giveBack(beganNs, nowNs);
    if (hasTraffic()) {
      isGivenBack = false;
      begin(nowNs);
      return;
    }
    if (!isGivenBack) {
      isGivenBack = true;
      endpoints.giveBack();
    }
    if (kept > 0) {
      // The blocks came back in this period, and may lie unused for the next.
      begin(nowNs);
    } else {
      dueNs = Long.MAX_VALUE;
      movedBytes = endpoints.movedBytes();
    }
  }

  private boolean hasTraffic() {
    return endpoints.movedBytes() - movedBytes >= TRAFFIC_BYTES;
  }

  private void begin(long nowNs) {
    beganNs = nowNs;
    movedBytes = endpoints.movedBytes();
    dueNs = nowNs + PERIOD_NS;
  }
}
