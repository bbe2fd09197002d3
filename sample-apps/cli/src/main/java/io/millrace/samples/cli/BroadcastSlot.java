package io.millrace.samples.cli;

import io.millrace.api.Broadcast;
import io.millrace.api.Delivery;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.samples.served.RepeatedBlock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AbstractHistogram;

/**
 * A slot of broadcasts to all peers, with bytes that the receivers sample and count. A broadcast
 * that missed a peer is no answered call; each missed peer is a failure.
 */
final class BroadcastSlot extends LoadSlot {
  private final LoadPlan plan;
  private final Transport transport;
  private final List<Destination> destinations;
  private final AtomicLong verified = new AtomicLong();

  BroadcastSlot(
      LoadPlan plan,
      Transport transport,
      List<Peer> peers,
      LoadWindow window,
      AbstractHistogram latencies,
      CountDownLatch running) {
    super(window, latencies, running);
    this.plan = plan;
    this.transport = transport;
    destinations = peers.stream().map(peer -> destination(peer, plan)).toList();
  }

  /** Returns a peer as a destination with the plan's priority. */
  static Destination destination(Peer peer, LoadPlan plan) {
    return Destination.of(peer).withPriority(plan.priority());
  }

  @Override
  void begin() {
    Broadcast broadcast =
        transport.broadcast(plan.route(), RepeatedBlock.source(plan.sizeBytes()), destinations);
    for (Delivery delivery : broadcast.deliveries()) {
      // Slow peers must not hide the bytes of fast peers.
      var _ = delivery.outcome().thenAccept(outcome -> verified.addAndGet(outcome.bytes()));
    }
    var _ = broadcast.outcomes().thenAccept(this::onEnd);
  }

  /** Returns the bytes verified by all peers together. */
  @Override
  long movedBytes() {
    return verified.get();
  }

  private void onEnd(List<DeliveryOutcome> outcomes) {
    List<DeliveryOutcome> missed = outcomes.stream().filter(this::isMissed).toList();
    if (missed.isEmpty()) {
      onAnswer(true);
    } else {
      onFailures(missed.size(), sentence(missed.getFirst()));
    }
  }

  private boolean isMissed(DeliveryOutcome outcome) {
    return !outcome.isDelivered() || outcome.bytes() != plan.sizeBytes();
  }

  private static String sentence(DeliveryOutcome missed) {
    String what =
        missed.isDelivered() ? "verified " + missed.bytes() + " bytes only" : missed.text();
    return missed.peer().address() + ": " + what;
  }
}
