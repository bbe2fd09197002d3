package io.millrace.api.blocking;

import io.millrace.api.CallContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The responses of one served stream, sent by a handler on a virtual thread. The handler enters the
 * gate when the stream starts; the end of the stream interrupts the handler.
 */
final class ServedRows<R> implements RowWriter<R> {
  private final HandlerGate gate;
  private final LateHeaders context;
  private final Body<R> body;
  private volatile @Nullable Departures<R> departures;
  private volatile HandlerGate.@Nullable Entry entry;

  /** A handler with its requests. */
  @FunctionalInterface
  interface Body<R> {
    void run(CallContext context, RowWriter<R> responses) throws Exception;
  }

  ServedRows(HandlerGate gate, CallContext context, Body<R> body) {
    this.gate = gate;
    this.context = new LateHeaders(context);
    this.body = body;
  }

  /** The stream starts. */
  void start(Departures<R> stream) {
    departures = stream;
    entry = gate.enter(context.peer(), context.requestBytes(), () -> run(stream));
  }

  /** The stream has ended, by the handler or without the handler. */
  void stop() {
    HandlerGate.Entry own = entry;
    if (own != null) {
      own.cancel();
    }
  }

  private void run(Departures<R> stream) {
    Throwable failure = null;
    try {
      body.run(context, this);
    } catch (Exception | Error e) {
      failure = e;
    }
    context.settle();
    stream.end(failure);
  }

  @Override
  public boolean send(R response) {
    Objects.requireNonNull(response, "response");
    context.settle();
    Departures<R> stream = Objects.requireNonNull(departures);
    try {
      return stream.put(response);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      if (stream.isCancelled()) {
        return false;
      }
      throw Waits.interrupted();
    }
  }
}
