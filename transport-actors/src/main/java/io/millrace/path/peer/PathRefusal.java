package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.path.packet.PathTerms;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Tells a peer that a path which its handshake settled is not taken, so that it does not wait for
 * answers: the path is opened and closed at once. On the worker's thread.
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

  /** Nothing comes of these terms, and the peer finds out by itself. */
  public static void drop(WorkerServices services, PathTerms terms) {
    terms.secret().close();
    services.context().terms().budget().giveBack(terms.receiveWindowBytes());
  }
}
