package io.millrace.actor.peer;

import io.millrace.protocol.transfer.CallOutcome;
import org.jspecify.annotations.Nullable;

/** A call whose request is a body and that its caller can end. Worker's thread, but for that. */
public abstract class CancellableCall extends PeerCall {
  private final PeerLink link;
  private @Nullable PeerPath path;
  private volatile @Nullable Ending ending;

  /** How its caller wants it to end. */
  private record Ending(CallOutcome outcome, String text) {}

  /** As {@link PeerCall}. */
  protected CancellableCall(
      PeerLink link, long route, int priority, byte[] headers, byte[] payload) {
    super(link, route, priority, headers, payload);
    this.link = link;
  }

  /**
   * Ends the call from this side, unless it has ended: it fails so, and its peer is told. Any
   * thread, before or after the call was submitted to {@code port}.
   */
  public final void cancel(SubmissionPort port, CallOutcome outcome, String text) {
    ending = new Ending(outcome, text);
    port.giveBack(new BodySubmission(priority(), () -> link.cancel(this, outcome, text)));
  }

  /** The path that it was opened on, or null. */
  final @Nullable PeerPath path() {
    return path;
  }

  @Override
  final void onOpened(PeerPath opened) {
    path = opened;
  }

  @Override
  public final void onTaken(long nowNs) {
    Ending wanted = ending;
    if (wanted != null) {
      refuse(wanted.outcome(), wanted.text());
    } else {
      super.onTaken(nowNs);
    }
  }
}
