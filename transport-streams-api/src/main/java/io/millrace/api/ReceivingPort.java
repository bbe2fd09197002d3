package io.millrace.api;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.StreamEnd;
import io.millrace.transfer.CallOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.jspecify.annotations.Nullable;

/** The port of incoming elements: takes one element for each demand. On the thread of its stage. */
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
    // Read the end first: all earlier elements are in the queue then.
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
    // The side that gives up a complete flow sets a new end before it drops the queued elements, so
    // check the end again.
    if (end != null && inlet.isEmpty() && inlet.end() == end && !over) {
      finish(null);
    }
  }

  /**
   * Decodes and pushes an element; returns false, and ends the port, if the element cannot be
   * decoded.
   */
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
