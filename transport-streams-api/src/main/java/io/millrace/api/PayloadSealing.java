package io.millrace.api;

import io.millrace.body.BatchSealer;
import io.millrace.body.PayloadWriter;
import io.millrace.body.SharedPayload;
import io.millrace.body.SharedSealer;
import io.millrace.buffer.DropWatch;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.TransportPool;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Seals a node's payloads for several peers, and begins broadcasts. Any thread. */
final class PayloadSealing {
  private static final byte[] NO_BYTES = {};

  private final TransportPool pool;
  private final ExecutorLane lane;
  private final Spans spans;

  PayloadSealing(TransportPool pool, ExecutorLane lane, Spans spans) {
    this.pool = pool;
    this.spans = spans;
    this.lane = lane;
  }

  CompletableFuture<SealedPayload> seal(BodySource source, Headers given, Protection protection) {
    return Owned.giving(
        source,
        () -> {
          Objects.requireNonNull(protection, "protection");
          byte[] headers = Objects.requireNonNull(given, "headers").encode();
          checkHeaders(headers);
          CompletableFuture<SealedPayload> sealed = new CompletableFuture<>();
          SharedSealer sealer =
              SharedSealer.start(
                  pool.bodies(),
                  source,
                  spans.carried(headers),
                  protection,
                  new SealedFuture(sealed, pool.drops()));
          endWith(sealed, sealer::cancel);
          return sealed;
        });
  }

  CompletableFuture<PayloadBuffer> allocate(int bytes, byte[] headers, Protection protection) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "the size of a buffer must not be negative: " + bytes + " bytes");
    }
    checkHeaders(headers);
    PayloadBuffer.Listener listener = new PayloadBuffer.Listener(bytes, pool.drops());
    return listener.of(
        PayloadWriter.start(pool.bodies(), spans.carried(headers), bytes, protection, listener));
  }

  CompletableFuture<List<SealedPayload>> sealAll(
      List<byte[]> payloads, byte[] headers, Protection protection) {
    checkHeaders(headers);
    CompletableFuture<List<SealedPayload>> sealed = new CompletableFuture<>();
    BatchSealer sealer =
        BatchSealer.start(
            pool.bodies(),
            List.copyOf(payloads),
            spans.carried(headers),
            protection,
            new BatchFuture(sealed, pool.drops()));
    endWith(sealed, sealer::cancel);
    return sealed;
  }

  /**
   * Runs {@code ending} when the future fails: the application then no longer wants the payload.
   */
  private static void endWith(CompletableFuture<?> sealed, Runnable ending) {
    var _ =
        sealed.whenComplete(
            (payload, failure) -> {
              if (failure != null) {
                ending.run();
              }
            });
  }

  Broadcast broadcast(RouteId route, SealedPayload payload, List<Destination> destinations) {
    requireOwn(destinations);
    SharedPayload shared = payload.retain(destinations.size());
    return begun(route, NO_BYTES, destinations, (broadcast, headers) -> broadcast.begin(shared));
  }

  Broadcast broadcast(
      Route<?, ?> route,
      BodySource source,
      Headers given,
      Protection protection,
      List<Destination> destinations) {
    return Owned.giving(
        source,
        () -> {
          Objects.requireNonNull(route, "route");
          Objects.requireNonNull(protection, "protection");
          byte[] headers = Objects.requireNonNull(given, "headers").encode();
          requireOwn(destinations);
          checkHeaders(headers);
          return begun(
              route.id(),
              headers,
              destinations,
              (broadcast, traced) -> broadcast.seal(pool.bodies(), source, traced, protection));
        });
  }

  /**
   * Begins a broadcast. The headers name the span of the whole broadcast; each transfer of the
   * broadcast has a span of its own.
   */
  private Broadcast begun(
      RouteId route,
      byte[] headers,
      List<Destination> destinations,
      BiFunction<Broadcast, byte[], Broadcast> begin) {
    Spans.CallSpan span = spans.beginBroadcast(route, headers);
    try (var _ = span.enter()) {
      Broadcast broadcast = Broadcast.of(destinations, route, lane, pool.system(), spans);
      return begin.apply(broadcast.traced(span), span.headers(headers));
    } catch (RuntimeException | Error e) {
      span.end(e);
      throw e;
    }
  }

  private void checkHeaders(byte[] headers) {
    Peer.checkHeaders(headers, pool.settings().limits());
  }

  private void requireOwn(List<Destination> destinations) {
    for (Destination destination : Objects.requireNonNull(destinations, "destinations")) {
      if (!destination.peer().isOf(pool)) {
        throw new IllegalArgumentException(destination.peer() + " is a peer of another transport");
      }
    }
  }

  private record SealedFuture(CompletableFuture<SealedPayload> future, DropWatch drops)
      implements SharedSealer.Listener {
    @Override
    public void onSealed(SharedPayload payload) {
      SealedPayload sealed = SealedPayload.of(payload, drops);
      if (!future.complete(sealed)) {
        sealed.close();
      }
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      future.completeExceptionally(new CallException(outcome, text));
    }
  }

  /** Completes a future with the payloads of a batch; on the executor. */
  private record BatchFuture(CompletableFuture<List<SealedPayload>> future, DropWatch drops)
      implements BatchSealer.Listener {
    @Override
    public void onSealed(List<SharedPayload> payloads) {
      List<SealedPayload> sealed =
          payloads.stream().map(each -> SealedPayload.of(each, drops)).toList();
      if (!future.complete(sealed)) {
        sealed.forEach(SealedPayload::close);
      }
    }

    @Override
    public void onFailed(CallOutcome outcome, String text) {
      future.completeExceptionally(new CallException(outcome, text));
    }
  }
}
