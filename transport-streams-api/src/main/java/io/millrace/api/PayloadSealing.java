package io.millrace.api;

import io.millrace.actor.body.BatchSealer;
import io.millrace.actor.body.PayloadWriter;
import io.millrace.actor.body.SharedPayload;
import io.millrace.actor.body.SharedSealer;
import io.millrace.actor.pool.TransportPool;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.buffer.DropWatch;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Payloads that a node seals for several peers, and their broadcasts. Any thread. */
final class PayloadSealing {
  private final TransportPool pool;
  private final ExecutorLane lane;

  PayloadSealing(TransportPool pool, ExecutorLane lane) {
    this.pool = pool;
    this.lane = lane;
  }

  CompletableFuture<SealedPayload> seal(BodySource source, byte[] headers, Protection protection) {
    return Owned.giving(
        source,
        () -> {
          checkHeaders(headers);
          CompletableFuture<SealedPayload> sealed = new CompletableFuture<>();
          SharedSealer sealer =
              SharedSealer.start(
                  pool.bodies(),
                  source,
                  headers,
                  protection,
                  new SealedFuture(sealed, pool.drops()));
          endWith(sealed, sealer::cancel);
          return sealed;
        });
  }

  CompletableFuture<PayloadBuffer> allocate(int bytes, byte[] headers, Protection protection) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a buffer of " + bytes + " bytes");
    }
    checkHeaders(headers);
    PayloadBuffer.Listener listener = new PayloadBuffer.Listener(bytes, pool.drops());
    return listener.of(PayloadWriter.start(pool.bodies(), headers, bytes, protection, listener));
  }

  CompletableFuture<List<SealedPayload>> sealAll(
      List<byte[]> payloads, byte[] headers, Protection protection) {
    checkHeaders(headers);
    CompletableFuture<List<SealedPayload>> sealed = new CompletableFuture<>();
    BatchSealer sealer =
        BatchSealer.start(
            pool.bodies(),
            List.copyOf(payloads),
            headers,
            protection,
            new SealedBatch(sealed, pool.drops()));
    endWith(sealed, sealer::cancel);
    return sealed;
  }

  /** Whoever fails the future wants no more of what it is of. */
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
    return Broadcast.of(destinations, route, lane, pool.system()).begin(shared);
  }

  Broadcast broadcast(
      RouteId route,
      BodySource source,
      byte[] headers,
      Protection protection,
      List<Destination> destinations) {
    return Owned.giving(
        source,
        () -> {
          requireOwn(destinations);
          checkHeaders(headers);
          return Broadcast.of(destinations, route, lane, pool.system())
              .seal(pool.bodies(), source, headers, protection);
        });
  }

  private void checkHeaders(byte[] headers) {
    Peer.checkHeaders(headers, pool.settings().limits());
  }

  private void requireOwn(List<Destination> destinations) {
    for (Destination destination : destinations) {
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
}
