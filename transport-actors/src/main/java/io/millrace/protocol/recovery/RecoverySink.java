package io.millrace.protocol.recovery;

/**
 * Receives the news of a {@link PathRecovery} about packets and their items.
 *
 * <p>Called on the worker's thread, from within {@code onAck} and {@code onDeadline}; the sink must
 * not call back into the {@code PathRecovery} (queue the frames to send and send them later). An
 * item that was sent in several packets is reported once per packet. So an owner ignores an item
 * that is already settled, and sends a lost item again only if the item's content is still true.
 */
public interface RecoverySink {
  /** A packet with this item was acknowledged. */
  void onItemAcked(long item);

  /** A packet that carried this item was declared lost. */
  void onItemLost(long item);

  /**
   * The path fell silent: send this item again now; the packet with the item may yet arrive.
   *
   * @return whether the item goes again for certain, so that the sink hears nothing more of the
   *     item should the first packet be acknowledged or lost
   */
  boolean onItemRetransmit(long item);

  /** A packet was acknowledged, after its items were reported. */
  default void onPacketAcked(long packetNumber, int bytes) {}

  /** A packet was declared lost, after its items were reported. */
  default void onPacketLost(long packetNumber, int bytes) {}

  /** A packet that had been declared lost was acknowledged after all. */
  default void onSpuriousLoss(long packetNumber) {}

  /** Nothing was acknowledged for a probe interval: something is sent again. */
  default void onProbeTimeout() {}

  /** Losses spanned so long that the congestion window fell to its least. */
  default void onPersistentCongestion() {}
}
