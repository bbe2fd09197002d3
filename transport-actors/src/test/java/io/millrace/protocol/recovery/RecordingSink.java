package io.millrace.protocol.recovery;

import java.util.ArrayList;
import java.util.List;

/** Keeps the reports of a path. */
final class RecordingSink implements RecoverySink {
  /** The sink's answer about items for retransmission. */
  boolean moving;

  final List<Long> ackedItems = new ArrayList<>();
  final List<Long> lostItems = new ArrayList<>();
  final List<Long> retransmitItems = new ArrayList<>();
  final List<Long> ackedPackets = new ArrayList<>();
  final List<Long> lostPackets = new ArrayList<>();
  final List<Long> spuriousLosses = new ArrayList<>();

  @Override
  public void onItemAcked(long item) {
    ackedItems.add(item);
  }

  @Override
  public void onItemLost(long item) {
    lostItems.add(item);
  }

  @Override
  public boolean onItemRetransmit(long item) {
    retransmitItems.add(item);
    return moving;
  }

  @Override
  public void onPacketAcked(long packetNumber, int bytes) {
    ackedPackets.add(packetNumber);
  }

  @Override
  public void onPacketLost(long packetNumber, int bytes) {
    lostPackets.add(packetNumber);
  }

  @Override
  public void onSpuriousLoss(long packetNumber) {
    spuriousLosses.add(packetNumber);
  }

  boolean isEmpty() {
    return ackedItems.isEmpty()
        && lostItems.isEmpty()
        && retransmitItems.isEmpty()
        && ackedPackets.isEmpty()
        && lostPackets.isEmpty()
        && spuriousLosses.isEmpty();
  }
}
