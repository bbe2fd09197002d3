package io.millrace.samples.sim;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A payload for several nodes, planned by the seed; both ends know the whole plan by its id.
 *
 * @param id the id of the broadcast; even, with 16 ids of its own: an id for each receiving node
 * @param from the sender's node
 * @param bytes the bytes of the payload
 * @param headersBytes the bytes of the headers, the id among these
 * @param sourceFails whether the source fails in the middle
 * @param laterNs if not 0, the time for which the payload is held between the first and the second
 *     half of the deliveries
 * @param deliveries the deliveries in the order of their beginning
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
   * A delivery to one node.
   *
   * @param historyId the id of the delivery
   * @param call the arriving call: its fate is the receiver's
   * @param cancelNs the time after which the sender cancels the delivery; 0 for never
   * @param deadlineNs the time after which the delivery must have ended; 0 for never
   */
  record PlannedDelivery(long historyId, PlannedCall call, long cancelNs, long deadlineNs) {
    @Override
    public String toString() {
      return call + ", cancelled after " + cancelNs + " ns, deadline " + deadlineNs + " ns";
    }
  }

  /** Returns the delivery to this node, or null. */
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
