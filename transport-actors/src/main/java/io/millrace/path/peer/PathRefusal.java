package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.path.packet.PathTerms;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;

/**
 * Tells a peer that a path which its handshake settled is not taken, so that it does not wait for
 * answers: the path is opened and closed at once. On the worker's thread.
 */
public final class PathRefusal implements PeerPath.Owner {
  private PathRefusal() {}

  /** Closes the path of these terms, which have no share of the budget, for this reason. */
  public static void refuse(
      WorkerServices services, String identity, PathTerms terms, CloseReason reason) {
    try {
      PeerPath.open(services, new PathRefusal(), new PeerLink(identity, 0), terms)
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

  @Override
  public void onPathEnded(PeerPath path) {
    // Nobody else knew it.
  }

  @Override
  public void onRenewalDue(PeerPath path) {
    // It ends.
  }

  @Override
  public boolean isAsked() {
    return false;
  }

  @Override
  public void onDoubt(PeerPath path, long wireId) {
    // It ends.
  }

  @Override
  public void onSecret(PeerPath path, long wireId) {
    // Nobody else knew it.
  }

  @Override
  public void onSecretGone(long wireId) {
    // Nobody else knew it.
  }

  @Override
  public void onPathFault(PeerPath path, Throwable fault) {
    // It was told as an event, and the path is being closed anyway.
  }
}
