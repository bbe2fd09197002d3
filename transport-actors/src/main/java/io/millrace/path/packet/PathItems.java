package io.millrace.path.packet;

import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.recovery.RecoverySink;
import io.millrace.protocol.transfer.TransferItem;
import java.util.Arrays;

/**
 * The frames of acknowledged and lost packets of one path. A frame is sent again while its content
 * is wanted, whatever packet the frame was in; rules. On the worker's thread; does not
 * allocate.
 */
final class PathItems implements RecoverySink {
  /** A kind without an owner: nothing happens to items of this kind. */
  private static final ItemOwner UNKNOWN = new ItemOwner() {};

  private final PathContext path;
  private final PathSize size;
  private final ItemOwner[] owners = new ItemOwner[PacketItems.KINDS];
  private SmallPackets small = SmallPackets.NONE;
  private boolean progress;

  /** The items of this path; {@link #own} sets the owner of each kind. */
  PathItems(PathContext path, PathSize size, ReceivedPackets received, InlineCredit credit) {
    this.path = path;
    this.size = size;
    Arrays.fill(owners, UNKNOWN);
    own(PacketItems.PROBE, new Probes(size));
    own(PacketItems.CREDIT, new Announcements(credit));
    own(PacketItems.REPORT, new Reports(received));
  }

  /** Sets {@code owner} as the owner of items of this kind. */
  void own(int kind, ItemOwner owner) {
    owners[kind] = owner;
  }

  /** Sets the way of small packets, which hears of acknowledged and lost packets. */
  void small(SmallPackets way) {
    small = way;
  }

  @Override
  public void onItemAcked(long item) {
    boolean isProgress = owners[PacketItems.kind(item)].onItemAcked(item);
    // Read the field behind the call: the owner of pieces comes back here with the whole frame.
    progress |= isProgress;
  }

  @Override
  public void onItemLost(long item) {
    owners[PacketItems.kind(item)].onItemLost(item);
  }

  @Override
  public boolean onItemRetransmit(long item) {
    return owners[PacketItems.kind(item)].onItemRetransmit(item);
  }

  @Override
  public void onPacketAcked(long packetNumber, int bytes) {
    size.onPacketAcked(bytes);
    small.onAcked(packetNumber);
    if (progress) {
      path.worker().counters().packetsWithProgress++;
      progress = false;
    }
  }

  @Override
  public void onPacketLost(long packetNumber, int bytes) {
    WorkerContext worker = path.worker();
    worker.counters().packetsLost++;
    worker.counters().data().packetLost(path.pathId(), packetNumber, bytes);
    size.onPacketLost(bytes);
    small.onLost(packetNumber);
  }

  @Override
  public void onSpuriousLoss(long packetNumber) {
    path.worker().counters().spuriousLosses++;
    small.onAcked(packetNumber);
  }

  @Override
  public void onProbeTimeout() {
    path.worker().counters().probeTimeouts++;
    size.onProbeTimeout();
  }

  @Override
  public void onPersistentCongestion() {
    path.worker().counters().persistentCongestions++;
  }

  /** Probes, including probes of a size. */
  private record Probes(PathSize size) implements ItemOwner {
    @Override
    public boolean onItemAcked(long item) {
      size.onProbeAcked(item);
      return false;
    }

    @Override
    public void onItemLost(long item) {
      size.onProbeLost(item);
    }
  }

  /** Inline limits; the newest limit must arrive. */
  private record Announcements(InlineCredit credit) implements ItemOwner {
    @Override
    public void onItemLost(long item) {
      credit.want();
    }
  }

  /** Acknowledgements with gaps; the path does not repeat a report of a gap that has arrived. */
  private record Reports(ReceivedPackets received) implements ItemOwner {
    @Override
    public boolean onItemAcked(long item) {
      received.onReportConfirmed(TransferItem.of(0, item));
      return false;
    }
  }
}
