package io.millrace.api;

import io.millrace.ends.ElementOutlet;
import io.millrace.ends.StreamEnd;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.stage.AbstractInHandler;

/**
 * The port of outgoing elements: demands an element only while the receiver takes elements. On the
 * thread of its stage.
 */
final class SendingPort<T> extends AbstractInHandler {
  private final ElementLogic.Port port;
  private final Inlet<T> in;
  private final ElementOutlet outlet;
  private final Function<T, byte[]> encoder;
  private final CallStatus ifFailed;
  private final Consumer<Throwable> onFailure;
  private boolean over;

  SendingPort(
      ElementLogic.Port port,
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
      port.end(in, isFailure ? new CallException(end.outcome(), end.text()) : null);
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
      port.end(in, new CallException(end.outcome(), end.text()));
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
    onFailure.accept(failure);
    outlet.fail(HandlerFailure.statusOf(failure, ifFailed), HandlerFailure.textOf(failure));
  }

  void stop() {
    if (!over) {
      over = true;
      outlet.fail(ifFailed, "the stream was stopped");
    }
  }
}
