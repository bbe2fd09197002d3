package io.millrace.path.packet;

import io.millrace.driver.SendBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the control packets of a worker, which belong to no transfer: acknowledgements, probes,
 * trials of sizes and rails, and retirements. Keeps a quarter of the send buffers for control
 * packets, so that acknowledgements find a buffer however many trains of other paths wait. On the
 * worker's thread; does not allocate after construction.
 */
public final class ControlPackets {
  private static final int BUFFERS_PER_KEPT = 4;

  private final WorkerContext worker;
  private final TrainBuilder train;

  /** Buffers put aside, for each endpoint. */
  private final List<ArrayDeque<SendBuffer>> kept = new ArrayList<>();

  private final int keptLimit;

  ControlPackets(WorkerContext worker, TrainBuilder train) {
    this.worker = worker;
    this.train = train;
    keptLimit = worker.settings().nic().sendBuffers() / BUFFERS_PER_KEPT;
    for (int endpoint = 0; endpoint < worker.network().size(); endpoint++) {
      kept.add(new ArrayDeque<>(keptLimit + 1));
    }
  }

  /** The worker begins to transmit in this turn: puts buffers aside. */
  public void reserve() {
    for (int endpoint = 0; endpoint < kept.size(); endpoint++) {
      ArrayDeque<SendBuffer> aside = kept.get(endpoint);
      SendBuffer buffer;
      while (aside.size() < keptLimit
          && (buffer = worker.network().acquireSendBuffer(endpoint)) != null) {
        aside.addLast(buffer);
      }
    }
  }

  /**
   * Sends the control frames due on this path, or has the path looked at again in the next turn.
   */
  void send(PathParts path, long nowNs) {
    if (path.isControlDue()) {
      SendBuffer buffer = acquire(path);
      if (buffer != null) {
        send(path, buffer, 0, nowNs);
      }
    }
  }

  /** Sends a probe of the packet size that the path wants to try out. */
  void sendSizeProbe(PathParts path, long nowNs) {
    SendBuffer buffer = acquire(path);
    if (buffer != null) {
      send(path, buffer, path.size().pollProbe(), nowNs);
    }
  }

  /**
   * Sends a packet over the rail being tried, which the caller has put into use for this packet;
   * false without a free buffer.
   */
  boolean sendRailTry(PathParts path, int rail, long nowNs) {
    SendBuffer buffer = acquire(path);
    if (buffer == null) {
      return false;
    }
    boolean isBuilt = false;
    try {
      train.buildRailTry(path, buffer, rail, nowNs);
      isBuilt = true;
    } finally {
      if (!isBuilt) {
        giveBack(endpointOf(path), buffer);
      }
    }
    path.trains().postUrgent(buffer, train.length());
    return true;
  }

  /** Tells the peer of retired keys of this side, if the time for the message has come. */
  void sendRetirements(PathParts path, long nowNs) {
    PathRetirements retirements = path.retirements();
    while (retirements.isDue(path.recovery(), nowNs)) {
      SendBuffer buffer = acquire(path);
      if (buffer == null) {
        return;
      }
      int length = 0;
      try {
        length = retirements.encode(buffer.buffer(), path.recovery(), nowNs);
      } finally {
        if (length == 0) {
          giveBack(endpointOf(path), buffer);
        }
      }
      if (length > 0) {
        path.trains().postUrgent(buffer, length);
      }
    }
  }

  /**
   * Returns a buffer of an endpoint, or null. The caller posts the buffer, or returns the buffer
   * with {@link #giveBack}.
   */
  public @Nullable SendBuffer take(int endpoint) {
    SendBuffer buffer = worker.network().acquireSendBuffer(endpoint);
    return buffer == null ? kept.get(endpoint).pollLast() : buffer;
  }

  private int endpointOf(PathParts path) {
    return worker.network().endpointOf(path.context().destination());
  }

  /** Gives back a buffer that was taken and not posted. */
  public void giveBack(int endpoint, SendBuffer buffer) {
    worker.network().releaseSendBuffer(endpoint, buffer);
  }

  private void send(PathParts path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    boolean built = false;
    try {
      built = build(path, buffer, sizeProbeBytes, nowNs);
    } finally {
      if (!built) {
        giveBack(endpointOf(path), buffer);
      }
    }
    if (built) {
      path.trains().postUrgent(buffer, train.length());
    }
  }

  private boolean build(PathParts path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    if (sizeProbeBytes == 0) {
      return train.buildControl(path, buffer, nowNs);
    }
    train.buildSizeProbe(path, buffer, sizeProbeBytes, nowNs);
    return true;
  }

  private @Nullable SendBuffer acquire(PathParts path) {
    SendBuffer buffer = take(endpointOf(path));
    if (buffer == null) {
      worker.counters().sendBufferStalls++;
      path.context().touch();
    }
    return buffer;
  }
}
