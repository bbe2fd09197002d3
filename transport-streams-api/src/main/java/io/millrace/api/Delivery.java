package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.SharedPayload;
import io.millrace.config.HoconText;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.LaneTask;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.OpenToken;
import io.millrace.path.peer.PeerHandle;
import io.millrace.trace.TracedTransfer;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The transfer of a broadcast to one peer. Safe on any thread. */
public final class Delivery {
  private final Destination destination;
  private final PeerHandle handle;
  private final RouteId route;
  private final ExecutorLane lane;
  private final CompletableFuture<BulkReceipt> receipt = new CompletableFuture<>();
  private final CompletableFuture<DeliveryOutcome> outcome;

  private final TransferOptions options;
  private final Spans.CallSpan span;

  private WriteCall.@Nullable OfPayload call;
  private @Nullable OpenToken token;
  private boolean isOver;

  Delivery(Destination destination, RouteId route, ExecutorLane lane, Spans spans) {
    this.destination = destination;
    this.route = route;
    this.lane = lane;
    handle = destination.peer().handle();
    outcome = receipt.handle(this::outcomeOf);
    options = TransferOptions.DEFAULTS.withPriority(destination.priority());
    span =
        spans.begin(
            handle.identity(), route, Spans.BULK_WRITE, TracedTransfer.UNKNOWN_BYTES, options);
    span.delivery(receipt);
  }

  /** Returns the peer that receives the payload. */
  public Peer peer() {
    return destination.peer();
  }

  /** Returns the destination, with the priority and deadline of the transfer. */
  public Destination destination() {
    return destination;
  }

  /**
   * Completes on the transport's executor when the peer has verified all bytes and completed its
   * target, and fails with {@link CallException}. To cancel the transfer, call {@link #cancel}, not
   * a method of this future.
   */
  public CompletableFuture<BulkReceipt> receipt() {
    return receipt.copy();
  }

  /** Completes with the end of the transfer as a value; never fails. */
  public CompletableFuture<DeliveryOutcome> outcome() {
    return outcome.copy();
  }

  /**
   * Returns the token by which other transfers wait for this transfer; the first call creates the
   * token.
   *
   * @throws IllegalStateException if too many tokens wait for a slot
   */
  public synchronized CausalityToken token() {
    OpenToken made = token;
    if (made == null) {
      OpenToken ending = new OpenToken(group());
      token = ending;
      made = ending;
      if (call != null) {
        ending.send();
      }
      var _ = receipt.whenComplete((received, failure) -> Call.end(ending, failure));
      span.name(ending.token());
    }
    return made.token();
  }

  CausalityGroup group() {
    return handle.port().causality();
  }

  /**
   * Ends this transfer and no other transfer. The transfer fails with {@code CANCELLED}; the node
   * tells the peer and releases the transfer's hold of the memory. Does nothing if the transfer has
   * ended.
   */
  public void cancel() {
    end(CallOutcome.CANCELLED, "the broadcast to this peer was cancelled");
  }

  /** Fails the transfer, because the payload could not be sealed. */
  void fail(CallOutcome why, String text) {
    end(why, text);
  }

  /** Fails the transfer, because the deadline has passed. */
  void expire() {
    String deadline = HoconText.duration(destination.deadline().toNanos());
    end(CallOutcome.EXPIRED, "the broadcast took longer than " + deadline);
  }

  /** Begins the transfer of the sealed payload; the delivery takes over a hold of the payload. */
  void begin(SharedPayload payload) {
    WriteCall.OfPayload begun = begun(payload);
    if (begun == null) {
      payload.release();
    } else {
      handle.submit(begun);
      onBegun();
    }
  }

  private synchronized void onBegun() {
    if (token != null) {
      token.send();
    }
  }

  private synchronized WriteCall.@Nullable OfPayload begun(SharedPayload payload) {
    if (!isOver) {
      call = new WriteCall.OfPayload(handle, route, options, payload, receipt, lane);
    }
    return call;
  }

  private void end(CallOutcome why, String text) {
    WriteCall.OfPayload begun;
    synchronized (this) {
      begun = call;
      if (begun == null && isOver) {
        return;
      }
      isOver = true;
    }
    if (begun != null) {
      if (!receipt.isDone()) {
        begun.cancel(handle.port(), why, text);
      }
    } else {
      CallException.Site site = CallException.Site.of(handle.identity(), route.name());
      CallException failure = CallException.notSent(why, text, site);
      lane.give(LaneTask.always(() -> receipt.completeExceptionally(failure)));
    }
  }

  private DeliveryOutcome outcomeOf(@Nullable BulkReceipt received, @Nullable Throwable failure) {
    if (received != null) {
      return new DeliveryOutcome(peer(), CallOutcome.OK, received.bytes(), "");
    }
    return failure instanceof CallException refused
        ? new DeliveryOutcome(peer(), refused.outcome(), 0, String.valueOf(refused.getMessage()))
        : new DeliveryOutcome(peer(), CallOutcome.PEER_FAULT, 0, String.valueOf(failure));
  }

  @Override
  public String toString() {
    return "Delivery[" + peer().address() + "]";
  }
}
