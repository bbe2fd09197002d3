package io.millrace.ends;

import io.millrace.config.StreamSettings;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A stream on the side of an application's stages: the outgoing elements, the incoming elements,
 * and a signal to the worker, which is in the worker's ring at most once. Element 0 of a response
 * flow is its headers. Any thread.
 */
public final class ElementStream implements Submission {
  private final WorkerInbox worker;
  private final int priority;
  private final ElementOutlet outlet;
  private final ElementInlet inlet;
  private final AtomicBoolean signalled = new AtomicBoolean();

  /** The worker's. */
  private Runnable onSignal = () -> {};

  /**
   * A stream that has no path yet.
   *
   * @param isServed whether this side serves the stream: outgoing elements are responses
   */
  public ElementStream(
      WorkerInbox worker, int priority, TransportSettings settings, boolean isServed) {
    this.worker = worker;
    this.priority = priority;
    StreamSettings streams = settings.streams();
    Runnable signal = this::signal;
    ElementLimit limit = new ElementLimit(settings.transfers().messageBytes(), isServed);
    outlet = new ElementOutlet(signal, streams.windowBytes(), limit);
    inlet = new ElementInlet(signal, streams.windowElements(), streams.windowBytes());
  }

  /** The outgoing elements. */
  public ElementOutlet outlet() {
    return outlet;
  }

  /** The incoming elements. */
  public ElementInlet inlet() {
    return inlet;
  }

  @Override
  public int priority() {
    return priority;
  }

  /** The worker is to look at this stream. */
  private void signal() {
    // While a signal is on its way, which is soon for each element, a look is cheaper than a try.
    if (!signalled.get() && signalled.compareAndSet(false, true)) {
      worker.giveBack(this);
    }
  }

  /** Sets the listener for actions of the application's side. On the worker's thread. */
  public void onSignal(Runnable listener) {
    onSignal = listener;
  }

  @Override
  public void onTaken(long nowNs) {
    signalled.set(false);
    onSignal.run();
  }

  @Override
  public void onRefused(CallOutcome outcome, String text) {
    fail(outcome, text);
  }

  /** Both flows end at once, on this side. */
  public void fail(CallOutcome outcome, String text) {
    StreamEnd end = new StreamEnd(outcome, text);
    inlet.onEnd(end);
    outlet.onCancelled(end);
  }

  /**
   * Ends both flows, and drops the elements that wait to be taken: the peer is told of both ends.
   */
  public void giveUp(CallOutcome outcome, String text) {
    StreamEnd end = new StreamEnd(outcome, text);
    inlet.giveUp(end);
    outlet.onCancelled(end);
    outlet.fail(CallStatus.CANCELLED, text);
  }
}
