package io.millrace.api;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementOutlet;
import io.millrace.ends.StreamEnd;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.Shape;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/**
 * The only stage between an application's streams and a worker. The stage has at most one port for
 * outgoing elements and one port for incoming elements; each port closes by itself. The worker
 * wakes the stage through a callback, only when the stage waits.
 */
final class ElementLogic extends GraphStageLogic {
  private final AsyncCallback<Done> woken = createAsyncCallback(done -> goOn());
  private final CallException.Site site;
  private final NodeExecutors.Streams streams;
  private @Nullable SendingPort<?> sending;
  private @Nullable ReceivingPort<?> receiving;
  private Runnable onStart = () -> {};
  private Runnable onEnd = () -> {};
  private boolean isStarted;

  /** Creates the stage of one side of a stream; failures name the site. */
  ElementLogic(Shape shape, CallException.Site site, NodeExecutors.Streams streams) {
    super(shape);
    this.site = site;
    this.streams = streams;
  }

  /**
   * Sends the elements pushed into {@code in}, encoded.
   *
   * @param encoder encodes the elements; an exception fails the elements
   * @param ifFailed the status for the peer if the elements fail
   * @param onFailure gets the failure of the elements, ahead of the peer
   */
  <T> void send(
      Inlet<T> in,
      ElementOutlet outlet,
      Function<T, byte[]> encoder,
      CallStatus ifFailed,
      Consumer<Throwable> onFailure) {
    SendingPort<T> port = new SendingPort<>(new Port(), in, outlet, encoder, ifFailed, onFailure);
    sending = port;
    setHandler(in, port);
  }

  /**
   * Pushes the incoming elements to {@code out}, decoded; the returned stage completes with the
   * headers ahead of the elements.
   *
   * @param decoder decodes the elements; an exception fails the elements after the earlier
   *     elements, and tells the peer to send no more elements
   */
  <T> CompletionStage<byte[]> receive(
      Outlet<T> out, ElementInlet inlet, Function<byte[], T> decoder, boolean hasHeaders) {
    ReceivingPort<T> port = new ReceivingPort<>(new Port(), out, inlet, decoder, hasHeaders);
    receiving = port;
    setHandler(out, port);
    return port.headers();
  }

  /**
   * Sets the task for the start of the stage; a stage in a graph that cannot be created never
   * starts.
   */
  void onStart(Runnable task) {
    onStart = task;
  }

  /** Sets the task for the end of the stage. */
  void onEnd(Runnable task) {
    onEnd = task;
  }

  @Override
  public void preStart() {
    streams.onStart();
    isStarted = true;
    onStart.run();
    SendingPort<?> out = sending;
    if (out != null) {
      out.start(this::wake);
    }
    ReceivingPort<?> in = receiving;
    if (in != null) {
      in.start(this::wake);
    }
  }

  private void wake() {
    woken.invoke(Done.getInstance());
  }

  private void goOn() {
    SendingPort<?> out = sending;
    if (out != null) {
      out.goOn();
    }
    ReceivingPort<?> in = receiving;
    if (in != null) {
      in.goOn();
    }
  }

  @Override
  public void postStop() {
    try {
      SendingPort<?> out = sending;
      if (out != null) {
        out.stop();
      }
      ReceivingPort<?> in = receiving;
      if (in != null) {
        in.stop();
      }
      onEnd.run();
    } finally {
      if (isStarted) {
        streams.onStop();
      }
    }
  }

  /** The operations of a port on its stage. */
  final class Port {
    private Port() {}

    /** Returns the failure of this end of a flow. */
    CallException failure(StreamEnd end) {
      return CallException.at(end.outcome(), end.text(), site);
    }

    /** Returns the failure of a stream that ended at this side. */
    CallException failure(CallOutcome outcome, String text) {
      return CallException.at(outcome, text, site);
    }

    /** Returns the failure of an element that could not be decoded. */
    Throwable undecoded(Throwable failure) {
      return site.isServed() ? failure : CallException.notDecoded(failure, site);
    }

    void pullIfOpen(Inlet<?> in) {
      if (!isClosed(in) && !hasBeenPulled(in)) {
        pull(in);
      }
    }

    <T> T take(Inlet<T> in) {
      return grab(in);
    }

    boolean isOver(Inlet<?> in) {
      return isClosed(in);
    }

    void end(Inlet<?> in, @Nullable Throwable cause) {
      if (cause == null) {
        cancel(in);
      } else {
        cancel(in, cause);
      }
    }

    boolean isWanted(Outlet<?> out) {
      return isAvailable(out);
    }

    boolean isOver(Outlet<?> out) {
      return isClosed(out);
    }

    <T> void give(Outlet<T> out, T element) {
      push(out, element);
    }

    void end(Outlet<?> out, @Nullable Throwable cause) {
      if (cause == null) {
        complete(out);
      } else {
        fail(out, cause);
      }
    }
  }

  /**
   * The port of outgoing elements: demands an element only while the receiver takes elements. On
   * the thread of its stage.
   */
  private static final class SendingPort<T> extends AbstractInHandler {
    private final Port port;
    private final Inlet<T> in;
    private final ElementOutlet outlet;
    private final Function<T, byte[]> encoder;
    private final CallStatus ifFailed;
    private final Consumer<Throwable> onFailure;
    private boolean over;

    SendingPort(
        Port port,
        Inlet<T> in,
        ElementOutlet outlet,
        Function<T, byte[]> encoder,
        CallStatus ifFailed,
        Consumer<Throwable> onFailure) {
      this.onFailure = onFailure;
      this.port = port;
      this.in = in;
      this.outlet = outlet;
      this.encoder = encoder;
      this.ifFailed = ifFailed;
    }

    void start(Runnable wake) {
      outlet.listener(wake);
      goOn();
    }

    void goOn() {
      StreamEnd end = outlet.cancelled();
      if (over) {
        return;
      }
      if (end != null) {
        over = true;
        boolean isFailure = end.outcome() != CallOutcome.CANCELLED;
        port.end(in, isFailure ? port.failure(end) : null);
      } else if (outlet.hasRoom()) {
        port.pullIfOpen(in);
      }
    }

    @Override
    public void onPush() {
      byte[] element;
      try {
        element = encoder.apply(port.take(in));
      } catch (RuntimeException | Error e) {
        onUpstreamFailure(e);
        port.end(in, e);
        return;
      }
      StreamEnd end = outlet.refuse(element);
      if (end == null) {
        outlet.offer(element);
        goOn();
      } else {
        over = true;
        port.end(in, port.failure(end));
      }
    }

    @Override
    public void onUpstreamFinish() {
      over = true;
      outlet.end();
    }

    @Override
    public void onUpstreamFailure(Throwable failure) {
      over = true;
      try {
        onFailure.accept(failure);
      } finally {
        outlet.fail(HandlerFailure.statusOf(failure, ifFailed), HandlerFailure.textOf(failure));
      }
    }

    void stop() {
      if (!over) {
        over = true;
        outlet.fail(ifFailed, "the stream was stopped");
      }
    }
  }

  /**
   * The port of incoming elements: takes one element for each demand. On the thread of its stage.
   */
  private static final class ReceivingPort<T> extends AbstractOutHandler {
    private final Port port;
    private final Outlet<T> out;
    private final ElementInlet inlet;
    private final Function<byte[], T> decoder;
    private final CompletableFuture<byte[]> headers = new CompletableFuture<>();
    private boolean hasHeaders;
    private boolean over;

    ReceivingPort(
        Port port,
        Outlet<T> out,
        ElementInlet inlet,
        Function<byte[], T> decoder,
        boolean hasHeaders) {
      this.port = port;
      this.out = out;
      this.inlet = inlet;
      this.decoder = decoder;
      this.hasHeaders = !hasHeaders;
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
        finish(port.failure(end));
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
      // A side that gives up a complete flow sets a new end before it drops the queued elements: so
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
        port.end(out, port.undecoded(e));
        return false;
      }
      port.give(out, decoded);
      return true;
    }

    private void finish(@Nullable CallException failure) {
      over = true;
      headers.completeExceptionally(
          failure == null
              ? port.failure(CallOutcome.PEER_RESET, "the stream ended before its headers")
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
            port.failure(CallOutcome.CANCELLED, "the stream was cancelled"));
      }
    }
  }
}
