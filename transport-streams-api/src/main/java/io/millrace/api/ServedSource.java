package io.millrace.api;

import io.millrace.ends.ElementInlet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The request flow of a stream at the serving side; materialized once at most. */
final class ServedSource<Q> extends GraphStage<SourceShape<Q>> {
  private final Outlet<Q> out = Outlet.create("ServedSource.out");
  private final SourceShape<Q> shape = SourceShape.of(out);
  private final ElementInlet inlet;
  private final Function<byte[], Q> decoder;
  private final AtomicBoolean taken = new AtomicBoolean();

  ServedSource(ElementInlet inlet, Function<byte[], Q> decoder) {
    this.inlet = inlet;
    this.decoder = decoder;
  }

  /**
   * Cancels the requests if the handler has not materialized the source; a later materialization
   * fails.
   */
  void cancelUnlessTaken() {
    if (taken.compareAndSet(false, true)) {
      inlet.cancel();
    }
  }

  @Override
  public SourceShape<Q> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    if (!taken.compareAndSet(false, true)) {
      throw new IllegalStateException("the requests of a stream can be materialized once only");
    }
    ElementLogic logic = new ElementLogic(shape);
    var _ = logic.receive(out, inlet, decoder, false);
    return logic;
  }
}
