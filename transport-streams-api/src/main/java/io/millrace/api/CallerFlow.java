package io.millrace.api;

import io.millrace.actor.peer.ElementStream;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** Both flows of a stream at the side that opens it. */
final class CallerFlow
    extends AbstractGraphStageWithMaterializedValue<
        FlowShape<byte[], byte[]>, CompletionStage<byte[]>> {
  private final Inlet<byte[]> in = Inlet.create("CallerFlow.in");
  private final Outlet<byte[]> out = Outlet.create("CallerFlow.out");
  private final FlowShape<byte[], byte[]> shape = FlowShape.of(in, out);
  private final Supplier<ElementStream> opening;

  CallerFlow(Supplier<ElementStream> opening) {
    this.opening = opening;
  }

  @Override
  public FlowShape<byte[], byte[]> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, CompletionStage<byte[]>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    ElementStream stream = opening.get();
    ElementLogic logic = new ElementLogic(shape);
    CompletionStage<byte[]> headers = logic.receive(out, stream.inlet(), true);
    logic.send(in, stream.outlet(), CallStatus.SOURCE_FAILED);
    return Pair.create(logic, headers);
  }
}
