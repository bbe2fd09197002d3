package io.millrace.actor.packet;

import io.millrace.driver.SendBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.PathCloseEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells the peers of paths that this worker has ended. A PathClose is not acknowledged and its path
 * is gone, so each is sealed while the path still has its keys, kept until there is a send buffer,
 * and sent twice. Owns the destinations of those paths until then. On the worker's thread; control
 * plane, allocates.
 */
public final class PathFarewells {
  private static final long INTERVAL_NS = 10_000_000;
  private static final int MOST_WAITING = 65_536;
  private static final int MAX_BYTES = 256;
  private static final byte[] NO_BYTES = {};

  private final WorkerContext worker;
  private final ControlPackets controls;
  private final UnsafeBuffer space = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_BYTES));
  private final PathCloseEncoder close = new PathCloseEncoder();
  private final ArrayDeque<Farewell> first = new ArrayDeque<>();
  private final ArrayDeque<Farewell> second = new ArrayDeque<>();

  private record Farewell(byte[] packet, int destination, long dueNs) {}

  PathFarewells(WorkerContext worker, ControlPackets controls) {
    this.worker = worker;
    this.controls = controls;
  }

  /** Seals a packet that says that the path ends; its destination is released after it was sent. */
  void add(PathContext path, PathKeys keys, CloseReason reason) {
    byte[] packet = NO_BYTES;
    try {
      packet = seal(keys, reason);
    } catch (RuntimeException | Error e) {
      worker.events().onPeerFault(worker.worker(), path.peer(), e);
    } finally {
      if (packet.length > 0 && first.size() < MOST_WAITING) {
        first.addLast(new Farewell(packet, path.destination(), 0));
      } else {
        worker.endpoint().release(path.destination());
      }
    }
  }

  /** Posts what is due while there are buffers; returns how many. */
  public int post(long nowNs) {
    int posted = 0;
    while (!first.isEmpty() && postOne(first.getFirst(), nowNs)) {
      Farewell farewell = first.removeFirst();
      second.addLast(new Farewell(farewell.packet(), farewell.destination(), nowNs + INTERVAL_NS));
      posted++;
    }
    while (!second.isEmpty()
        && nowNs - second.getFirst().dueNs() >= 0
        && postOne(second.getFirst(), nowNs)) {
      worker.endpoint().flush();
      worker.endpoint().release(second.removeFirst().destination());
      posted++;
    }
    return posted;
  }

  /** Whether a path's end was not told yet, for want of a buffer. */
  public boolean hasWaiting() {
    return !first.isEmpty();
  }

  /** Copies that were not sent yet. */
  public int waiting() {
    return 2 * first.size() + second.size();
  }

  /** When {@link #post} has a second copy to send, ns. */
  public long nextDeadlineNs() {
    return second.isEmpty() ? Long.MAX_VALUE : second.getFirst().dueNs();
  }

  /** Whether all copies were sent. */
  public boolean isEmpty() {
    return first.isEmpty() && second.isEmpty();
  }

  /** The worker ends: what could not be sent is given up, and destinations are released. */
  public void close() {
    first.forEach(each -> worker.endpoint().release(each.destination()));
    second.forEach(each -> worker.endpoint().release(each.destination()));
    first.clear();
    second.clear();
  }

  private boolean postOne(Farewell farewell, long nowNs) {
    SendBuffer buffer = controls.take();
    if (buffer == null) {
      return false;
    }
    int length = farewell.packet().length;
    buffer.buffer().putBytes(0, farewell.packet());
    worker.shaper().onUrgent(length, nowNs);
    worker.endpoint().postSend(farewell.destination(), buffer, length, length, 0);
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
