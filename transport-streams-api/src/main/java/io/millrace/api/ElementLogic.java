package io.millrace.api;

import io.millrace.actor.stream.ElementInlet;
import io.millrace.actor.stream.ElementOutlet;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
  private @Nullable SendingPort sending;
  private @Nullable ReceivingPort receiving;
  private Runnable onStart = () -> {};
  private Runnable onEnd = () -> {};

  ElementLogic(Shape shape) {
    super(shape);
  }

  /** Elements that are pushed into {@code in} leave; {@code ifFailed} is what the peer is told. */
  void send(Inlet<byte[]> in, ElementOutlet outlet, CallStatus ifFailed) {
    send(in, outlet, ifFailed, failure -> {});
  }

  /** The same, where somebody learns of what they fail with. */
  void send(
      Inlet<byte[]> in, ElementOutlet outlet, CallStatus ifFailed, Consumer<Throwable> onFailure) {
    SendingPort port = new SendingPort(new Port(), in, outlet, ifFailed, onFailure);
    sending = port;
    setHandler(in, port);
  }

  /** Elements that come leave through {@code out}; the stage has the headers in front of them. */
  CompletionStage<byte[]> receive(Outlet<byte[]> out, ElementInlet inlet, boolean hasHeaders) {
    ReceivingPort port = new ReceivingPort(new Port(), out, inlet, hasHeaders);
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
    SendingPort out = sending;
    if (out != null) {
      out.start(this::wake);
    }
    ReceivingPort in = receiving;
    if (in != null) {
      in.start(this::wake);
    }
  }

  private void wake() {
    woken.invoke(Done.getInstance());
  }

  private void goOn() {
    SendingPort out = sending;
    if (out != null) {
      out.goOn();
    }
    ReceivingPort in = receiving;
    if (in != null) {
      in.goOn();
    }
  }

  @Override
  public void postStop() {
    SendingPort out = sending;
    if (out != null) {
      out.stop();
    }
    ReceivingPort in = receiving;
    if (in != null) {
      in.stop();
    }
    onEnd.run();
  }

  /** What the ports may do to their stage. */
  final class Port {
    private Port() {}

    void pullIfOpen(Inlet<byte[]> in) {
      if (!isClosed(in) && !hasBeenPulled(in)) {
        pull(in);
      }
    }

    byte[] take(Inlet<byte[]> in) {
      return grab(in);
    }

    boolean isOver(Inlet<byte[]> in) {
      return isClosed(in);
    }

    void end(Inlet<byte[]> in, @Nullable Throwable cause) {
      if (cause == null) {
        cancel(in);
      } else {
        cancel(in, cause);
      }
    }

    boolean isWanted(Outlet<byte[]> out) {
      return isAvailable(out);
    }

    boolean isOver(Outlet<byte[]> out) {
      return isClosed(out);
    }

    void give(Outlet<byte[]> out, byte[] element) {
      push(out, element);
    }

    void end(Outlet<byte[]> out, @Nullable Throwable cause) {
      if (cause == null) {
        complete(out);
      } else {
        fail(out, cause);
      }
    }
  }
}
