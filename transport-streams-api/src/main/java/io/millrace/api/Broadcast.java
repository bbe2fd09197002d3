package io.millrace.api;

import io.millrace.body.BodyServices;
import io.millrace.body.SharedPayload;
import io.millrace.body.SharedSealer;
import io.millrace.ends.ExecutorLane;
import io.millrace.path.causality.Dependencies;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * A payload under way to several peers. The payload is sealed once, in a single allocation; each
 * destination gets a transfer of its own. The transfers share nothing but the memory: each transfer
 * has its own priority, deadline and end. Safe on any thread.
 */
public final class Broadcast {
  private final List<Delivery> deliveries;
  private final CompletableFuture<List<DeliveryOutcome>> outcomes;
  private final Spans spans;

  private Broadcast(List<Delivery> deliveries, Spans spans) {
    this.spans = spans;
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
      Spans spans) {
    Broadcast broadcast =
        new Broadcast(
            destinations.stream()
                .map(destination -> new Delivery(destination, route, lane, spans))
                .toList(),
            spans);
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

  /**
   * Ends the span of the whole broadcast after the last transfer, with the failure of the first
   * failed transfer.
   */
  Broadcast traced(Spans.CallSpan span) {
    span.whenEnded(outcomes, Broadcast::end);
    return this;
  }

  private static void end(TransferSpan span, List<DeliveryOutcome> outcomes) {
    DeliveryOutcome worst =
        outcomes.stream().filter(each -> each.outcome() != CallOutcome.OK).findFirst().orElse(null);
    outcomes.stream().mapToLong(DeliveryOutcome::bytes).max().ifPresent(span::requestBytes);
    if (worst == null) {
      span.end(CallOutcome.OK, "");
    } else {
      span.end(worst.outcome(), worst.text());
    }
  }

  /**
   * Sends the sealed payload to every destination; takes over a hold of {@code payload} for each
   * destination.
   */
  Broadcast begin(SharedPayload payload) {
    deliveries.forEach(delivery -> delivery.begin(payload));
    return this;
  }

  /** Seals the source and sends the sealed payload. */
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
                  // The last transfer takes this hold over, so the payload is free once all
                  // transfers have ended.
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

  /** Returns the transfers, in the order of the destinations. */
  public List<Delivery> deliveries() {
    return deliveries;
  }

  /**
   * Completes with the outcome of each transfer, in the order of the destinations, when the last
   * transfer has ended. The future completes on the transport's executor and never fails.
   */
  public CompletableFuture<List<DeliveryOutcome>> outcomes() {
    return outcomes.copy();
  }

  /** Returns a token of all transfers, which fails as soon as a transfer has failed. */
  public CausalityToken token() {
    return token(deliveries.size());
  }

  /**
   * Returns a token of {@code needed} of the transfers. The token succeeds when {@code needed}
   * transfers have succeeded, and fails when too few transfers are left to reach the number.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of transfers
   * @throws IllegalStateException if too many tokens wait for a slot
   */
  public CausalityToken token(int needed) {
    Dependencies.requireQuorum(needed, deliveries.size());
    List<CausalityToken> tokens = deliveries.stream().map(Delivery::token).toList();
    CausalityToken token = Dependencies.quorum(needed, tokens, deliveries.getFirst().group());
    spans.join(token, tokens);
    return token;
  }

  /** Cancels every transfer that has not ended. */
  public void cancel() {
    deliveries.forEach(Delivery::cancel);
  }
}
