package io.millrace.actor.peer;

import io.millrace.driver.SendBuffer;
import io.millrace.protocol.session.PathMtu;
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

  private final WorkerServices services;
  private final ArrayDeque<SendBuffer> kept;
  private final int keptLimit;

  ControlPackets(WorkerServices services) {
    this.services = services;
    keptLimit = services.settings().nic().sendBuffers() / BUFFERS_PER_KEPT;
    kept = new ArrayDeque<>(keptLimit + 1);
  }

  /** The turn begins to transmit: puts buffers aside. */
  public void reserve() {
    SendBuffer buffer;
    while (kept.size() < keptLimit && (buffer = services.endpoint().acquireSendBuffer()) != null) {
      kept.addLast(buffer);
    }
  }

  /** Sends what is due on this path, or has it looked at again in the next turn. */
  void send(PeerPath path, long nowNs) {
    if (path.control().isDue()) {
      SendBuffer buffer = acquire(path);
      if (buffer != null) {
        send(path, buffer, 0, nowNs);
      }
    }
  }

  /** Sends the probe of a size that {@code mtu} wants. */
  void sendSizeProbe(PeerPath path, PathMtu mtu, long nowNs) {
    SendBuffer buffer = acquire(path);
    if (buffer != null) {
      send(path, buffer, mtu.pollProbe(), nowNs);
    }
  }

  /** A buffer, or null. It is posted, or given back with {@link #giveBack}. */
  @Nullable SendBuffer take() {
    SendBuffer buffer = services.endpoint().acquireSendBuffer();
    return buffer == null ? kept.pollLast() : buffer;
  }

  void giveBack(SendBuffer buffer) {
    services.endpoint().releaseSendBuffer(buffer);
  }

  private void send(PeerPath path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    boolean built = false;
    try {
      built = build(path, buffer, sizeProbeBytes, nowNs);
    } finally {
      if (!built) {
        giveBack(buffer);
      }
    }
    if (built) {
      path.postUrgent(buffer);
    }
  }

  private boolean build(PeerPath path, SendBuffer buffer, int sizeProbeBytes, long nowNs) {
    if (sizeProbeBytes == 0) {
      return services.train().buildControl(path, buffer, nowNs);
    }
    services.train().buildSizeProbe(path, buffer, sizeProbeBytes, nowNs);
    return true;
  }

  private @Nullable SendBuffer acquire(PeerPath path) {
    SendBuffer buffer = take();
    if (buffer == null) {
      services.counters().sendBufferStalls++;
      services.touched().add(path);
    }
    return buffer;
  }
}
