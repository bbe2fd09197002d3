package io.millrace.api;

import io.millrace.actor.peer.ElementStream;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The response flow of a stream at the side that opens it. */
final class CallerSource
    extends AbstractGraphStageWithMaterializedValue<SourceShape<byte[]>, CompletionStage<byte[]>> {
  private final Outlet<byte[]> out = Outlet.create("CallerSource.out");
  private final SourceShape<byte[]> shape = SourceShape.of(out);
  private final Supplier<ElementStream> opening;

  CallerSource(Supplier<ElementStream> opening) {
    this.opening = opening;
  }

  @Override
  public SourceShape<byte[]> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, CompletionStage<byte[]>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    ElementLogic logic = new ElementLogic(shape);
    return Pair.create(logic, logic.receive(out, opening.get().inlet(), true));
  }
}
