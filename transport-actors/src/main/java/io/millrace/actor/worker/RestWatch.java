package io.millrace.actor.worker;

import io.millrace.actor.nic.WorkerEndpoints;
import io.millrace.buffer.BufferRegistry;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.schedule.TimingWheel;

/**
 * Gives memory back that a worker has used and does not need now. Once traffic worth the name has
 * passed, a timer looks every {@value #PERIOD_NS} ns until a period had next to none; then pages of
 * free network buffers go to the system, and blocks that nobody held in that period to the
 * collector. After that there is no timer until there is traffic again. On the worker's thread;
 * does not allocate.
 */
final class RestWatch implements TimerHandler {
  /** How long a worker moves next to nothing before it gives memory back, ns. */
  static final long PERIOD_NS = 10_000_000_000L;

  /** Probes and a few small calls in a period, which touch little memory, are less. */
  static final long TRAFFIC_BYTES = 256 << 10;

  private final WorkerEndpoints endpoints;
  private final BufferRegistry buffers;
  private final TimingWheel wheel;
  private final Timer timer = new Timer(this, 0);

  /** What the endpoints had moved when the period began, or when memory was given back. */
  private long movedBytes;

  private long beganNs;

  RestWatch(WorkerEndpoints endpoints, BufferRegistry buffers, TimingWheel wheel) {
    this.endpoints = endpoints;
    this.buffers = buffers;
    this.wheel = wheel;
  }

  /** A turn that found nothing to do. */
  void onIdleTurn(long nowNs) {
    if (!timer.isScheduled() && hasTraffic()) {
      buffers.onLook(nowNs);
      begin(nowNs);
    }
  }

  @Override
  public void onTimer(Timer fired, long nowNs) {
    int kept = buffers.giveBack(beganNs, nowNs);
    if (hasTraffic()) {
      begin(nowNs);
      return;
    }
    endpoints.giveBack();
    if (kept > 0) {
      // They came back in this period, and may lie unused for the next.
      begin(nowNs);
    } else {
      movedBytes = endpoints.movedBytes();
    }
  }

  private boolean hasTraffic() {
    return endpoints.movedBytes() - movedBytes >= TRAFFIC_BYTES;
  }

  private void begin(long nowNs) {
    beganNs = nowNs;
    movedBytes = endpoints.movedBytes();
    wheel.schedule(timer, nowNs + PERIOD_NS);
  }
}
