package io.millrace.api;

import io.millrace.actor.stream.ElementInlet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The request flow of a stream at the side that serves it; materialized once at most. */
final class ServedSource extends GraphStage<SourceShape<byte[]>> {
  private final Outlet<byte[]> out = Outlet.create("ServedSource.out");
  private final SourceShape<byte[]> shape = SourceShape.of(out);
  private final ElementInlet inlet;
  private final AtomicBoolean taken = new AtomicBoolean();

  ServedSource(ElementInlet inlet) {
    this.inlet = inlet;
  }

  /** Ends the flow if nobody has materialized it; nobody can any more. */
  void cancelUnlessTaken() {
    if (taken.compareAndSet(false, true)) {
      inlet.cancel();
    }
  }

  @Override
  public SourceShape<byte[]> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    if (!taken.compareAndSet(false, true)) {
      throw new IllegalStateException("the elements of a stream can be had once only");
    }
    ElementLogic logic = new ElementLogic(shape);
    var _ = logic.receive(out, inlet, false);
    return logic;
  }
}
