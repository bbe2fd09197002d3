package io.millrace.api;

import io.millrace.body.BodyServices;
import io.millrace.body.SharedPayload;
import io.millrace.body.SharedSealer;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.causality.Dependencies;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * One payload on its way to several peers: sealed once, in one allocation, sent by as many
 * transfers as there are destinations. They share nothing but the memory: each has a priority, a
 * deadline and an end of its own. Safe on any thread.
 */
public final class Broadcast {
  private final List<Delivery> deliveries;
  private final CompletableFuture<List<DeliveryOutcome>> outcomes;

  private Broadcast(List<Delivery> deliveries) {
    this.deliveries = deliveries;
    List<CompletableFuture<DeliveryOutcome>> each =
        deliveries.stream().map(Delivery::outcome).toList();
    outcomes =
        CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
            .thenApply(ended -> each.stream().map(CompletableFuture::resultNow).toList());
  }

  static Broadcast of(
      List<Destination> destinations,
      RouteId route,
      ExecutorLane lane,
      ActorSystem<?> system,
      @Nullable Spans spans) {
    Broadcast broadcast =
        new Broadcast(
            destinations.stream()
                .map(destination -> new Delivery(destination, route, lane, spans))
                .toList());
    broadcast.deliveries.forEach(delivery -> expireInTime(delivery, system));
    return broadcast;
  }

  private static void expireInTime(Delivery delivery, ActorSystem<?> system) {
    Duration deadline = delivery.destination().deadline();
    if (deadline.isZero()) {
      return;
    }
    var timer =
        system.scheduler().scheduleOnce(deadline, delivery::expire, system.executionContext());
    var _ = delivery.outcome().thenRun(timer::cancel);
  }

  /** Sends what was sealed; takes over one hold of {@code payload} for each destination. */
  Broadcast begin(SharedPayload payload) {
    deliveries.forEach(delivery -> delivery.begin(payload));
    return this;
  }

  /** Seals the source and sends it. */
  Broadcast seal(BodyServices services, BodySource source, byte[] headers, Protection protection) {
    SharedSealer sealer =
        SharedSealer.start(
            services,
            source,
            headers,
            protection,
            new SharedSealer.Listener() {
              @Override
              public void onSealed(SharedPayload payload) {
                if (deliveries.isEmpty()) {
                  payload.release();
                } else {
                  // The last one takes this hold over, so that nothing is held once all have ended.
                  payload.retain(deliveries.size() - 1);
                  begin(payload);
                }
              }

              @Override
              public void onFailed(CallOutcome outcome, String text) {
                deliveries.forEach(delivery -> delivery.fail(outcome, text));
              }
            });
    var _ = outcomes.thenRun(sealer::cancel);
    return this;
  }

  /** The transfers, in the order of the destinations. */
  public List<Delivery> deliveries() {
    return deliveries;
  }

  /**
   * How each transfer ended, in the order of the destinations, once the last of them has; on the
   * transport's executor. Never fails.
   */
  public CompletableFuture<List<DeliveryOutcome>> outcomes() {
    return outcomes.copy();
  }

  /** A token of all transfers: it fails as soon as one of them has. */
  public CausalityToken token() {
    return token(deliveries.size());
  }

  /**
   * A token of {@code needed} of the transfers: it succeeds when so many have, and fails when so
   * many cannot any more.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to their number
   * @throws IllegalStateException if too many wait for a slot
   */
  public CausalityToken token(int needed) {
    Dependencies.requireQuorum(needed, deliveries.size());
    List<CausalityToken> tokens = deliveries.stream().map(Delivery::token).toList();
    CausalityToken token = Dependencies.quorum(needed, tokens, deliveries.getFirst().group());
    if (deliveries.getFirst().isTraced()) {
      Spans.join(token, tokens);
    }
    return token;
  }

  /** Cancels every transfer that has not ended. */
  public void cancel() {
    deliveries.forEach(Delivery::cancel);
  }
}
