package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.path.packet.PathTerms;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Refuses a path settled by a handshake. The path is opened and closed at once, so that the peer
 * learns of the refusal and does not wait for answers. Used on the worker's thread.
 */
public final class PathRefusal {
  private PathRefusal() {}

  /** Closes the path of these terms, for this reason; the terms have no share of the budget. */
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
