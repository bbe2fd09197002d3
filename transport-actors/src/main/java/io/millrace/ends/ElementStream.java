package io.millrace.ends;

import io.millrace.config.StreamSettings;
import io.millrace.config.TransportSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A stream as an application's stages see it: what leaves, what comes, and one signal to the
 * worker, which is in its ring at most once. Element 0 of a response flow is its headers. Any
 * thread.
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
   * A stream that no path has yet.
   *
   * @param isServed whether this side serves it: what leaves are responses
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

  /** The elements that leave. */
  public ElementOutlet outlet() {
    return outlet;
  }

  /** The elements that come. */
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

  /** Who looks when the application's side has done something. On the worker's thread. */
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

  /** The same, and what waits to be taken is not: the peer is told of both. */
  public void giveUp(CallOutcome outcome, String text) {
    StreamEnd end = new StreamEnd(outcome, text);
    inlet.giveUp(end);
    outlet.onCancelled(end);
    outlet.fail(CallStatus.CANCELLED, text);
  }
}
