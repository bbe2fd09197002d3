package io.millrace.path.slot;

import io.millrace.driver.DriverException;
import io.millrace.driver.RemoteMemory;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.registration.RegistrationEpisode;
import io.millrace.wire.PacketHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The packet slots of one worker; rules I-1 to I-5. Gives each path a block of slots, finds the
 * packet that an immediate value announces, and takes the completions of writes from slots.
 * Worker's thread only; allocates only when a path opens.
 */
public final class WorkerSlots {
  /** The mark of the contexts of writes from slots, in the half that other writes use up from 0. */
  private static final int MARK = Integer.MIN_VALUE;

  /** The place of the endpoint with slots, at this side and at the peer. */
  private static final int ENDPOINT = 0;

  private final WorkerContext worker;
  private final RemoteMemory remote;
  private final int perPath;
  private final @Nullable SlotBlock[] blocks;
  private final SegmentBuffer packet =
      new SegmentBuffer(ByteBuffer.allocateDirect(Immediate.MOST_BYTES));
  private final RegistrationEpisode episode =
      new RegistrationEpisode("packet slots", "millrace.regions.packet-slots");
  private int packetLength;

  /** The system refused to end a registration in the last {@link #settle}. */
  private boolean isEndRefused;

  private WorkerSlots(WorkerContext worker, RemoteMemory remote, int perPath) {
    this.worker = worker;
    this.remote = remote;
    this.perPath = perPath;
    blocks = new SlotBlock[Immediate.SLOTS / perPath];
  }

  /**
   * The slots that the settings give to each path; null if the settings give none, or the first
   * endpoint has no one-sided writes.
   */
  public static @Nullable WorkerSlots of(WorkerContext worker) {
    int perPath = worker.settings().regions().packetSlots();
    RemoteMemory remote = perPath == 0 ? null : worker.network().remoteMemory(ENDPOINT);
    return remote == null ? null : new WorkerSlots(worker, remote, perPath);
  }

  /** Opens the slots of a path; null where one side has none, or no block is to be had. */
  public @Nullable PathSlots open(PathPackets path) {
    if (!path.terms().hasImmediates() || !isOnRail(worker.network(), path.destination())) {
      return null;
    }
    settle();
    long nowNs = worker.time().turnNs();
    PathSlots slots = episode.mayTry(nowNs) ? tryOpen(path, nowNs) : null;
    episode.tell(worker.events(), worker.worker());
    return slots;
  }

  private @Nullable PathSlots tryOpen(PathPackets path, long nowNs) {
    try {
      SlotBlock block = free(nowNs);
      if (block == null) {
        return null;
      }
      PathSlots slots = new PathSlots(path, this, block);
      block.open(slots);
      episode.onRegistered(nowNs);
      slots.start();
      return slots;
    } catch (DriverException e) {
      settle();
      episode.onRefused(e, 2L * perPath * Immediate.MOST_BYTES, registeredBytes(), nowNs);
      return null;
    }
  }

  /**
   * Whether packets to a destination leave by the rail of the slots now: the rail between the first
   * endpoints of both sides, if it carries one-sided writes.
   */
  static boolean isOnRail(PathNetwork network, int destination) {
    return network.endpointOf(destination) == ENDPOINT
        && network.remoteEndpointOf(destination) == ENDPOINT
        && network.isOneSided(destination);
  }

  private @Nullable SlotBlock free(long nowNs) throws DriverException {
    for (int i = 0; i < blocks.length; i++) {
      SlotBlock block = blocks[i];
      if (block == null) {
        block = newBlock(i, nowNs);
        blocks[i] = block;
      }
      if (block.isFree(nowNs)) {
        return block;
      }
    }
    return null;
  }

  private SlotBlock newBlock(int index, long nowNs) throws DriverException {
    try {
      return new SlotBlock(remote, index, perPath, nowNs);
    } catch (OutOfMemoryError e) {
      throw new DriverException(String.valueOf(e.getMessage()), DriverException.Kind.OUT_OF_MEMORY);
    }
  }

  private long registeredBytes() {
    long bytes = 0;
    for (@Nullable SlotBlock block : blocks) {
      bytes += block == null ? 0 : block.registeredBytes();
    }
    return bytes;
  }

  /** The path of the block is over. */
  void close(SlotBlock block) {
    block.close();
    settle();
  }

  /** Ends the registrations that blocks without a path have, and tells of the first refusal. */
  private void settle() {
    long untilNs = worker.time().turnNs() + worker.settings().regions().quarantineNs();
    DriverException refusal = null;
    for (@Nullable SlotBlock block : blocks) {
      try {
        if (block != null) {
          block.settle(untilNs);
        }
      } catch (DriverException e) {
        refusal = e;
      }
    }
    if (refusal != null && !isEndRefused) {
      String what = "packet slots: still registered: " + refusal.getMessage();
      worker.events().onResourceDegraded(worker.worker(), what);
    }
    isEndRefused = refusal != null;
  }

  /**
   * Takes the packet that an immediate value announces into {@link #packet}; rule I-4.
   *
   * @return the slots that the packet was in, or null if the value is wrong: then the value is
   *     counted, and nothing has changed
   */
  public @Nullable PathSlots read(long immediate) {
    SlotBlock block = Immediate.isPacket(immediate) ? blockOf(Immediate.slot(immediate)) : null;
    int length = Immediate.length(immediate);
    if (block == null || length < PacketHeader.OVERHEAD) {
      reject();
      return null;
    }
    block.copyIn(Immediate.slot(immediate), packet, length);
    boolean isPacket =
        PacketHeader.isData(packet, 0, length) || PacketHeader.isChunks(packet, 0, length);
    if (!isPacket || !Immediate.isOf(immediate, PacketHeader.packetNumber(packet, 0))) {
      reject();
      return null;
    }
    packetLength = length;
    return block.holder();
  }

  private @Nullable SlotBlock blockOf(int slot) {
    int index = slot / perPath;
    SlotBlock block = index < blocks.length ? blocks[index] : null;
    return block == null || block.holder() == null ? null : block;
  }

  /** The packet in a slot belongs to another path than the slot, or the value was wrong. */
  public void reject() {
    worker.counters().immediatesRejected++;
  }

  /** The packet of the last {@link #read}: a copy, which nobody else can change. */
  public SegmentBuffer packet() {
    return packet;
  }

  /** The bytes of the packet of the last {@link #read}. */
  public int packetLength() {
    return packetLength;
  }

  /** The context of a write from a slot of this block. */
  static long context(SlotBlock block, int slot) {
    return Integer.toUnsignedLong(MARK | block.firstSlot() + slot);
  }

  /** Whether a completion with this context is one of a write from a slot. */
  public static boolean isContext(long context) {
    return (int) context < 0;
  }

  /** The driver is done with a write from a slot. */
  public void onWriteComplete(long context, int status) {
    int slot = (int) context & ~MARK;
    SlotBlock block = blocks[slot / perPath];
    if (block == null) {
      throw new IllegalStateException("a completion of no write: " + context);
    }
    block.onEnded(slot - block.firstSlot());
    PathSlots holder = block.holder();
    if (holder != null) {
      holder.onWriteEnded(status);
    } else if (!block.hasWrites()) {
      settle();
    }
  }
}
