package io.millrace.samples.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload for several nodes that the seed has planned; both ends know all of it by its id.
 *
 * @param id which; even, and 16 ids are its own: one for each node that gets it
 * @param from sender's node
 * @param bytes of the payload
 * @param headersBytes the id among them
 * @param sourceFails in the middle
 * @param laterNs if not 0, the payload is held so long after the first half of the deliveries was
 *     begun, and then the others are
 * @param deliveries in the order in which they are begun
 */
record PlannedBroadcast(
    long id,
    int from,
    int bytes,
    int headersBytes,
    boolean sourceFails,
    long laterNs,
    List<PlannedDelivery> deliveries) {
  /**
   * To one node.
   *
   * @param historyId which
   * @param call what arrives there: its fate is the receiver's
   * @param cancelNs after how long the sender cancels it; 0 for never
   * @param deadlineNs after how long it must have ended; 0 for never
   */
  record PlannedDelivery(long historyId, PlannedCall call, long cancelNs, long deadlineNs) {
    @Override
    public String toString() {
      return call + ", cancelled after " + cancelNs + " ns, deadline " + deadlineNs + " ns";
    }
  }

  /** What goes to this node, or null. */
  @Nullable PlannedDelivery to(int node) {
    for (PlannedDelivery delivery : deliveries) {
      if (delivery.call().to() == node) {
        return delivery;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return "broadcast "
        + id
        + " of "
        + bytes
        + " B from n"
        + from
        + " to "
        + deliveries.size()
        + (sourceFails ? ", its source fails" : "")
        + (laterNs > 0 ? ", half of them " + laterNs + " ns later" : "");
  }
}
