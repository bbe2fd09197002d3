package io.millrace.actor.peer;

import io.millrace.actor.submission.Submission;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.OutboundCall;

/**
 * A unary call on its way through a worker's submission ring to its peer. Made and submitted by an
 * application thread; owned by the worker from then on.
 */
public abstract class PeerCall extends OutboundCall implements Submission {
  private final PeerLink link;

  /** A call to the peer of {@code link}; see {@link OutboundCall} for the bytes. */
  protected PeerCall(PeerLink link, long route, int priority, byte[] headers, byte[] payload) {
    super(route, priority, headers, payload, 0, payload.length);
    this.link = link;
  }

  @Override
  public final void onTaken(long nowNs) {
    link.onCall(this, nowNs);
  }

  @Override
  public final void onRefused(CallOutcome outcome, String text) {
    onFailure(outcome, text);
  }
}
