package io.millrace.path.slot;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.RemoteWrite;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.SmallPackets;
import io.millrace.wire.PacketHeader;
import java.util.Arrays;

/**
 * Writes the small packets of one path into slots of the peer, with an immediate value; rules I-1
 * to I-5. A packet without a free slot is sent. The first packet goes alone: more packets are
 * written only after the peer has acknowledged a written packet, and none after several losses of
 * written packets in a row. Worker's thread only; does not allocate after its start.
 */
public final class PathSlots implements SmallPackets {
  /**
   * The number of losses in a row after which the path writes no more packets. Packets that were
   * under way together are one loss.
   */
  private static final int MOST_LOST = 3;

  private static final long NO_PACKET = -1;

  private final PathPackets path;
  private final WorkerSlots worker;
  private final SlotBlock block;
  private final RemoteWrite write = new RemoteWrite();
  private final long[] numbers;
  private long address;
  private long key;
  private int firstSlot;
  private int slots;
  private int slotBytes;
  private int strideBytes;
  private int next;
  private boolean isProved;

  /** A write has failed, or the path is over. */
  private boolean isOver;

  private int lostInRow;

  /** Lost packets with lower numbers belong to the last of the losses in a row. */
  private long nextLoss;

  PathSlots(PathPackets path, WorkerSlots worker, SlotBlock block) {
    this.path = path;
    this.worker = worker;
    this.block = block;
    numbers = new long[block.slots()];
    Arrays.fill(numbers, NO_PACKET);
  }

  /** The block is registered: tells the peer of the slots. */
  void start() {
    path.parts().small(this);
    path.frames().sendRare(new PacketSlotsFrame(block));
  }

  /** The peer has told of its slots, once in the life of a path; rule I-1. */
  void onSlots(long slotsAddress, long slotsKey, int first, int count, int bytes) {
    if (slots > 0) {
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
    if (slots == 0 || length > slotBytes) {
      return false;
    }
    PathNetwork network = path.worker().network();
    long number = PacketHeader.packetNumber(packet, 0);
    if (!mayWrite(number) || !WorkerSlots.isOnRail(network, path.destination())) {
      return false;
    }
    int at = block.copyOut(next, packet, length);
    write
        .source(block.source(), at, length)
        .target(address + (long) next * strideBytes, key)
        .immediate(Immediate.of(firstSlot + next, number, length));
    int destination = network.writeDestination(path.destination());
    if (!block.remote().postWrite(destination, write, WorkerSlots.context(block, next))) {
      return false;
    }
    block.onPosted(next);
    numbers[next] = number;
    next = next + 1 == slots ? 0 : next + 1;
    path.worker().counters().packetsWritten++;
    return true;
  }

  /**
   * Whether the next slot is free at both sides, and this packet will be acknowledged or lost: a
   * packet that nobody acknowledges proves nothing, and does not tell when its slot is free.
   */
  private boolean mayWrite(long number) {
    if (isOver || lostInRow >= MOST_LOST || !isProved && lastInFlight()) {
      return false;
    }
    return !block.isUnderWay(next)
        && !path.recovery().isInFlight(numbers[next])
        && path.recovery().isInFlight(number);
  }

  private boolean lastInFlight() {
    int last = next == 0 ? slots - 1 : next - 1;
    return path.recovery().isInFlight(numbers[last]);
  }

  @Override
  public void onAcked(long packetNumber) {
    boolean isNews = !isProved || lostInRow > 0;
    if (isNews && isWritten(packetNumber)) {
      isProved = true;
      lostInRow = 0;
    }
  }

  @Override
  public void onLost(long packetNumber) {
    if (packetNumber >= nextLoss && isWritten(packetNumber)) {
      lostInRow++;
      nextLoss = path.recovery().nextPacketNumber();
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
      isOver = true;
    }
  }

  /** The path is over. */
  public void close() {
    isOver = true;
    worker.close(block);
  }
}
