package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.path.packet.PathTerms;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Tells a peer that this node does not take the path settled by their handshake, so that the peer
 * does not wait for answers: the path is opened and closed at once. On the worker's thread.
 */
public final class PathRefusal {
  private PathRefusal() {}

  /** Closes the path of these terms, which have no share of the budget, for this reason. */
  public static void refuse(
      WorkerServices services, String identity, PathTerms terms, CloseReason reason) {
    try {
      PeerPath.open(services, PeerPath.Owner.NONE, new PeerLink(identity, 0), terms)
          .close(reason, CallOutcome.CLOSED, "this node does not take it");
    } catch (DriverException e) {
      terms.secret().close();
    }
  }

  /** Drops these terms, and leaves the discovery to the peer. */
  public static void drop(WorkerServices services, PathTerms terms) {
    terms.secret().close();
    services.context().terms().budget().giveBack(terms.receiveWindowBytes());
  }
}
