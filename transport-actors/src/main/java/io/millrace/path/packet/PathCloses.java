package io.millrace.path.packet;

import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.PathCloseEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells the peers that this worker has ended their paths. No peer acknowledges a PathClose, and the
 * path is gone when the frame leaves. The worker therefore seals each frame while the path still
 * has keys, keeps the frame until a send buffer is free, and sends the frame twice. Owns the
 * destinations of the ended paths until then. On the worker's thread; control plane, allocates.
 */
public final class PathCloses {
  private static final long INTERVAL_NS = 10_000_000;
  private static final long PATIENCE_NS = 1_000_000_000;
  private static final int MOST_WAITING = 65_536;
  private static final int MAX_BYTES = 256;
  private static final byte[] NO_BYTES = {};

  private final WorkerContext worker;
  private final ControlPackets controls;
  private final SegmentBuffer space = new SegmentBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
  private final PathCloseEncoder close = new PathCloseEncoder();

  /** First copies waiting for a buffer, for each endpoint. */
  private final List<ArrayDeque<Close>> first = new ArrayList<>();

  private final ArrayDeque<Close> second = new ArrayDeque<>();

  /**
   * A first or second copy of a packet; at {@code dueNs} a first copy is given up, a second copy
   * sent.
   */
  private record Close(byte[] packet, int destination, long dueNs) {}

  PathCloses(WorkerContext worker, ControlPackets controls) {
    this.worker = worker;
    this.controls = controls;
    for (int endpoint = 0; endpoint < worker.network().size(); endpoint++) {
      first.add(new ArrayDeque<>());
    }
  }

  /**
   * Seals the packet announcing the end of the path; the destination is released once the packet
   * has been sent.
   */
  void add(PathContext path, PathKeys keys, CloseReason reason) {
    byte[] packet = NO_BYTES;
    try {
      packet = seal(keys, reason);
    } catch (RuntimeException | Error e) {
      worker.events().onPeerFault(worker.worker(), path.peer(), e);
    } finally {
      ArrayDeque<Close> queue = first.get(worker.network().endpointOf(path.destination()));
      if (packet.length > 0 && queue.size() < MOST_WAITING) {
        queue.addLast(
            new Close(packet, path.destination(), worker.time().wheel().timeNs() + PATIENCE_NS));
      } else {
        worker.network().release(path.destination());
      }
    }
  }

  /**
   * Posts the copies due where buffers are free; returns the number of copies posted. A first copy
   * is given up if the NIC has had no free buffer for 1 s.
   */
  public int post(long nowNs) {
    int posted = 0;
    for (int endpoint = 0; endpoint < first.size(); endpoint++) { // each turn: no iterator
      posted += postFirst(first.get(endpoint), nowNs);
    }
    for (int left = second.size(); left > 0 && nowNs - second.getFirst().dueNs() >= 0; left--) {
      Close farewell = second.removeFirst();
      if (postOne(farewell, nowNs)) {
        worker.network().flush(nowNs);
        posted++;
      }
      // A second copy without a free buffer is dropped: the first copy has gone.
      worker.network().release(farewell.destination());
    }
    return posted;
  }

  /**
   * Posts first copies of one endpoint until the endpoint has no buffer; returns the number posted.
   */
  private int postFirst(ArrayDeque<Close> queue, long nowNs) {
    int posted = 0;
    while (!queue.isEmpty()) {
      Close farewell = queue.getFirst();
      int destination = farewell.destination();
      if (postOne(farewell, nowNs)) {
        second.addLast(new Close(farewell.packet(), destination, nowNs + INTERVAL_NS));
        posted++;
      } else if (nowNs - farewell.dueNs() < 0) {
        return posted;
      } else {
        worker.network().release(destination);
      }
      queue.removeFirst();
    }
    return posted;
  }

  /** Whether a first copy still waits for a buffer. */
  public boolean hasWaiting() {
    for (int endpoint = 0; endpoint < first.size(); endpoint++) {
      if (!first.get(endpoint).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** The number of copies not sent yet. */
  public int waiting() {
    int unsent = 0;
    for (ArrayDeque<Close> queue : first) {
      unsent += queue.size();
    }
    return 2 * unsent + second.size();
  }

  /** The time at which {@link #post} has a second copy to send, ns. */
  public long nextDeadlineNs() {
    return second.isEmpty() ? Long.MAX_VALUE : second.getFirst().dueNs();
  }

  /** Whether all copies were sent. */
  public boolean isEmpty() {
    return !hasWaiting() && second.isEmpty();
  }

  /** The worker ends: gives up the copies not sent, and releases the destinations. */
  public void close() {
    first.forEach(this::giveUp);
    giveUp(second);
  }

  private void giveUp(ArrayDeque<Close> queue) {
    queue.forEach(each -> worker.network().release(each.destination()));
    queue.clear();
  }

  private boolean postOne(Close farewell, long nowNs) {
    int endpoint = worker.network().endpointOf(farewell.destination());
    SendBuffer buffer = controls.take(endpoint);
    if (buffer == null) {
      return false;
    }
    int length = farewell.packet().length;
    buffer.buffer().putBytes(0, farewell.packet());
    worker.schedule().of(endpoint).shaper().onUrgent(length, nowNs);
    worker.network().postPacket(farewell.destination(), buffer, length);
    worker.counters().packetsSent++;
    return true;
  }

  private byte[] seal(PathKeys keys, CloseReason reason) {
    int at = PacketHeader.LENGTH;
    close.wrap(space, at + FrameStart.LENGTH).reason(reason).putText(NO_BYTES, 0, 0);
    int end = close.limit();
    FrameStart.encode(
        space, at, end - at, PathCloseEncoder.BLOCK_LENGTH, PathCloseEncoder.TEMPLATE_ID);
    keys.seal(space, 0, end - at);
    byte[] packet = new byte[end + PacketHeader.TAG_LENGTH];
    space.getBytes(0, packet);
    return packet;
  }
}
