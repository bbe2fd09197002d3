package io.millrace.path.slot;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.SmallPackets;
import io.millrace.wire.PacketHeader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes the small packets of one path into slots of the peer, with an immediate value; rules I-1
 * to I-5. A packet without a free slot is sent. The first packet goes alone: more packets are
 * written only after the peer has acknowledged a written packet, and none after several written
 * packets in a row were lost. Worker's thread only; does not allocate after its start.
 */
public final class PathSlots implements SmallPackets {
  /** The number of written packets lost in a row after which the path writes no more packets. */
  private static final int MOST_LOST = 3;

  private static final long NO_PACKET = -1;

  private final PathPackets path;
  private final WorkerSlots worker;
  private final RemoteWrite write = new RemoteWrite();
  private @Nullable SlotBlock block;
  private @Nullable RemoteMemory remote;
  private long[] numbers = {};
  private long address;
  private long key;
  private int firstSlot;
  private int slots;
  private int slotBytes;
  private int strideBytes;
  private int next;
  private boolean isProved;
  private boolean hasFailed;
  private int lostInRow;

  PathSlots(PathPackets path, WorkerSlots worker) {
    this.path = path;
    this.worker = worker;
  }

  /** The path has a block: tells the peer of the slots. */
  void start(SlotBlock own, RemoteMemory memory) {
    block = own;
    remote = memory;
    numbers = new long[own.slots()];
    Arrays.fill(numbers, NO_PACKET);
    path.parts().small(this);
    path.frames().sendRare(new PacketSlotsFrame(own));
  }

  /** The peer has told of its slots, once in the life of a path; rule I-1. */
  void onSlots(long slotsAddress, long slotsKey, int first, int count, int bytes) {
    if (block == null || slots > 0) {
      return;
    }
    address = slotsAddress;
    key = slotsKey;
    firstSlot = first;
    slots = Math.min(count, numbers.length);
    strideBytes = bytes;
    slotBytes = Math.min(bytes, Immediate.MOST_BYTES);
  }

  @Override
  public boolean post(SegmentBuffer packet, int length) {
    SlotBlock own = block;
    RemoteMemory memory = remote;
    if (own == null || memory == null || slots == 0 || length > slotBytes) {
      return false;
    }
    PathNetwork network = path.worker().network();
    if (!mayWrite(own) || !WorkerSlots.isOnRail(network, path.destination())) {
      return false;
    }
    long number = PacketHeader.packetNumber(packet, 0);
    int at = own.copyOut(next, packet, length);
    write
        .source(own.source(), at, length)
        .target(address + (long) next * strideBytes, key)
        .immediate(Immediate.of(firstSlot + next, number, length));
    if (!memory.postWrite(
        network.writeDestination(path.destination()), write, WorkerSlots.context(own, next))) {
      return false;
    }
    own.onPosted(next);
    numbers[next] = number;
    next = next + 1 == slots ? 0 : next + 1;
    path.worker().counters().packetsWritten++;
    return true;
  }

  /** Whether the next slot is free at both sides. */
  private boolean mayWrite(SlotBlock own) {
    if (hasFailed || lostInRow >= MOST_LOST || !isProved && lastInFlight()) {
      return false;
    }
    return !own.isUnderWay(next) && !path.recovery().isInFlight(numbers[next]);
  }

  private boolean lastInFlight() {
    int last = next == 0 ? slots - 1 : next - 1;
    return path.recovery().isInFlight(numbers[last]);
  }

  @Override
  public void onAcked(long packetNumber) {
    if (isWritten(packetNumber)) {
      isProved = true;
      lostInRow = 0;
    }
  }

  @Override
  public void onLost(long packetNumber) {
    if (isWritten(packetNumber)) {
      lostInRow++;
    }
  }

  private boolean isWritten(long packetNumber) {
    for (int i = 0; i < slots; i++) {
      if (numbers[i] == packetNumber) {
        return true;
      }
    }
    return false;
  }

  /** The driver is done with a write of this path. */
  void onWriteEnded(int status) {
    if (status != CompletionHandler.STATUS_OK) {
      path.worker().counters().packetWritesFailed++;
      hasFailed = true;
    }
  }

  /** The path is over. */
  public void close() {
    SlotBlock own = block;
    if (own != null) {
      block = null;
      worker.close(own);
    }
  }
}
