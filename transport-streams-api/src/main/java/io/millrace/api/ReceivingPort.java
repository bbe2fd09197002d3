package io.millrace.api;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.StreamEnd;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.jspecify.annotations.Nullable;

/** Elements that come: taken one by one as they are asked for. On its stage's thread. */
final class ReceivingPort<T> extends AbstractOutHandler {
  private final ElementLogic.Port port;
  private final Outlet<T> out;
  private final ElementInlet inlet;
  private final Function<byte[], T> decoder;
  private final boolean isServed;
  private final CompletableFuture<byte[]> headers = new CompletableFuture<>();
  private boolean hasHeaders;
  private boolean over;

  ReceivingPort(
      ElementLogic.Port port,
      Outlet<T> out,
      ElementInlet inlet,
      Function<byte[], T> decoder,
      boolean hasHeaders) {
    this.port = port;
    this.out = out;
    this.inlet = inlet;
    this.decoder = decoder;
    this.hasHeaders = !hasHeaders;
    isServed = !hasHeaders;
  }

  CompletableFuture<byte[]> headers() {
    return headers;
  }

  void start(Runnable wake) {
    inlet.listener(wake);
    goOn();
  }

  void goOn() {
    // The end is read first: what came before it is in the queue then.
    StreamEnd end = inlet.end();
    if (over) {
      return;
    }
    if (end != null && end.outcome() != CallOutcome.OK) {
      finish(
          isServed
              ? CallException.ofRequests(end.outcome(), end.text())
              : new CallException(end.outcome(), end.text()));
      return;
    }
    if (!hasHeaders) {
      byte[] first = inlet.poll();
      if (first != null) {
        hasHeaders = true;
        headers.complete(first);
      }
    }
    if (hasHeaders && port.isWanted(out)) {
      byte[] element = inlet.poll();
      if (element != null && !give(element)) {
        return;
      }
    }
    // Who gives a flow up that is all here says so ahead of letting its elements go.
    if (end != null && inlet.isEmpty() && inlet.end() == end && !over) {
      finish(null);
    }
  }

  /** Whether it could be decoded; if not, all is over. */
  private boolean give(byte[] element) {
    T decoded;
    try {
      decoded = decoder.apply(element);
    } catch (RuntimeException | Error e) {
      over = true;
      inlet.cancel();
      port.end(out, e);
      return false;
    }
    port.give(out, decoded);
    return true;
  }

  private void finish(@Nullable CallException failure) {
    over = true;
    headers.completeExceptionally(
        failure == null
            ? new CallException(CallOutcome.PEER_RESET, "the stream ended before its headers")
            : failure);
    port.end(out, failure);
  }

  @Override
  public void onPull() {
    goOn();
  }

  @Override
  public void onDownstreamFinish(Throwable cause) {
    stop();
  }

  void stop() {
    if (!over) {
      over = true;
      inlet.cancel();
      headers.completeExceptionally(
          new CallException(CallOutcome.CANCELLED, "the stream was cancelled"));
    }
  }
}
