package io.millrace.actor.packet;

import io.millrace.driver.SendBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Sends the packets of one worker that no transfer asked for: acknowledgements, probes and tries of
 * a size. It keeps a quarter of the send buffers for them, so that paths which owe only an
 * acknowledgement are heard however many others have trains waiting. On the worker's thread; does
 * not allocate after construction.
 */
public final class ControlPackets {
  private static final int BUFFERS_PER_KEPT = 4;

  private final WorkerContext worker;
  private final TrainBuilder train;
  private final ArrayDeque<SendBuffer> kept;
  private final int keptLimit;

  ControlPackets(WorkerContext worker, TrainBuilder train) {
    this.worker = worker;
    this.train = train;
    keptLimit = worker.settings().nic().sendBuffers() / BUFFERS_PER_KEPT;
    kept = new ArrayDeque<>(keptLimit + 1);
  }

  /** The turn begins to transmit: puts buffers aside. */
  public void reserve() {
    SendBuffer buffer;
    while (kept.size() < keptLimit && (buffer = worker.endpoint().acquireSendBuffer()) != null) {
      kept.addLast(buffer);
    }
  }

  /** Sends what is due on this path, or has it looked at again in the next turn. */
  void send(PathPackets path, long nowNs) {
    if (path.isControlDue()) {
      SendBuffer buffer = acquire(path);
      if (buffer != null) {
        send(path, buffer, 0, nowNs);
      }
    }
  }

  /** Sends the probe of a size that the path wants to try out. */
  void sendSizeProbe(PathPackets path, long nowNs) {
    SendBuffer buffer = acquire(path);
    if (buffer != null) {
      send(path, buffer, path.size().pollProbe(), nowNs);
    }
  }

  /** A buffer, or null. It is posted, or given back with {@link #giveBack}. */
  @Nullable SendBuffer take() {
    SendBuffer buffer = worker.endpoint().acquireSendBuffer();
    return buffer == null ? kept.pollLast() : buffer;
  }

  void giveBack(SendBuffer buffer) {
    worker.endpoint().releaseSendBuffer(buffer);
  }

  private void send(PathPackets path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    boolean built = false;
    try {
      built = build(path, buffer, sizeProbeBytes, nowNs);
    } finally {
      if (!built) {
        giveBack(buffer);
      }
    }
    if (built) {
      path.postUrgent(buffer, train.length());
    }
  }

  private boolean build(PathPackets path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    if (sizeProbeBytes == 0) {
      return train.buildControl(path, buffer, nowNs);
    }
    train.buildSizeProbe(path, buffer, sizeProbeBytes, nowNs);
    return true;
  }

  private @Nullable SendBuffer acquire(PathPackets path) {
    SendBuffer buffer = take();
    if (buffer == null) {
      worker.counters().sendBufferStalls++;
      path.touch();
    }
    return buffer;
  }
}
