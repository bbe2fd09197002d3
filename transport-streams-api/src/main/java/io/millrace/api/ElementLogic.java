package io.millrace.api;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementOutlet;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.Shape;
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
  private @Nullable SendingPort<?> sending;
  private @Nullable ReceivingPort<?> receiving;
  private Runnable onStart = () -> {};
  private Runnable onEnd = () -> {};

  ElementLogic(Shape shape) {
    super(shape);
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
    SendingPort<?> out = sending;
    if (out != null) {
      out.stop();
    }
    ReceivingPort<?> in = receiving;
    if (in != null) {
      in.stop();
    }
    onEnd.run();
  }

  /** The operations of a port on its stage. */
  final class Port {
    private Port() {}

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
}
