package io.millrace.api;

import io.millrace.ends.ElementOutlet;
import io.millrace.wire.codec.CallStatus;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The response flow of a stream at the serving side. */
final class ServedSink<R> extends GraphStage<SinkShape<R>> {
  private final Inlet<R> in = Inlet.create("ServedSink.in");
  private final SinkShape<R> shape = SinkShape.of(in);
  private final ElementOutlet outlet;
  private final Function<R, byte[]> encoder;
  private final Runnable onEnd;
  private final Consumer<Throwable> onFailure;

  /**
   * Creates a sink that sends its elements through the outlet.
   *
   * @param onEnd runs when the sink has stopped
   * @param onFailure gets the failure of the elements
   */
  ServedSink(
      ElementOutlet outlet,
      Function<R, byte[]> encoder,
      Runnable onEnd,
      Consumer<Throwable> onFailure) {
    this.outlet = outlet;
    this.encoder = encoder;
    this.onEnd = onEnd;
    this.onFailure = onFailure;
  }

  @Override
  public SinkShape<R> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    ElementLogic logic = new ElementLogic(shape);
    logic.send(in, outlet, encoder, CallStatus.HANDLER_FAILED, onFailure);
    logic.onEnd(onEnd);
    return logic;
  }
}
