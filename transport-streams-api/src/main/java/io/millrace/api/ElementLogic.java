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
 * The one stage between an application's streams and a worker: has at most one port for elements
 * that leave and one for elements that come, each closed by itself. The worker wakes it through a
 * callback, only when it waits.
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
   * Elements that are pushed into {@code in} leave, encoded.
   *
   * @param encoder what it throws fails the elements
   * @param ifFailed what the peer is told
   * @param onFailure learns of what they fail with, ahead of the peer
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
   * Elements that come leave through {@code out}, decoded; the stage has the headers in front of
   * them.
   *
   * @param decoder what it throws fails the elements, after those ahead of it; the peer is told
   *     that no more are wanted
   */
  <T> CompletionStage<byte[]> receive(
      Outlet<T> out, ElementInlet inlet, Function<byte[], T> decoder, boolean hasHeaders) {
    ReceivingPort<T> port = new ReceivingPort<>(new Port(), out, inlet, decoder, hasHeaders);
    receiving = port;
    setHandler(out, port);
    return port.headers();
  }

  /** What is done when the stage starts, which one never does whose graph cannot be made. */
  void onStart(Runnable task) {
    onStart = task;
  }

  /** What is done when the stage has stopped. */
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

  /** What the ports may do to their stage. */
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
