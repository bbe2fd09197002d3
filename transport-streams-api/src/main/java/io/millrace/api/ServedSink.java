package io.millrace.api;

import io.millrace.actor.stream.ElementOutlet;
import io.millrace.wire.codec.CallStatus;
import java.util.function.Consumer;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The response flow of a stream at the side that serves it. */
final class ServedSink extends GraphStage<SinkShape<byte[]>> {
  private final Inlet<byte[]> in = Inlet.create("ServedSink.in");
  private final SinkShape<byte[]> shape = SinkShape.of(in);
  private final ElementOutlet outlet;
  private final Runnable onEnd;
  private final Consumer<Throwable> onFailure;

  /**
   * A sink into the outlet.
   *
   * @param onEnd runs when it has stopped
   * @param onFailure learns of what the elements fail with
   */
  ServedSink(ElementOutlet outlet, Runnable onEnd, Consumer<Throwable> onFailure) {
    this.outlet = outlet;
    this.onEnd = onEnd;
    this.onFailure = onFailure;
  }

  @Override
  public SinkShape<byte[]> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    ElementLogic logic = new ElementLogic(shape);
    logic.send(in, outlet, CallStatus.HANDLER_FAILED, onFailure);
    logic.onEnd(onEnd);
    return logic;
  }
}
