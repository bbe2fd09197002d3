package io.millrace.api;

import io.millrace.actor.peer.ElementStream;
import io.millrace.actor.peer.StreamCall;
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
    extends AbstractGraphStageWithMaterializedValue<FlowShape<byte[], byte[]>, CallerFlow.Opened> {
  private final Inlet<byte[]> in = Inlet.create("CallerFlow.in");
  private final Outlet<byte[]> out = Outlet.create("CallerFlow.out");
  private final FlowShape<byte[], byte[]> shape = FlowShape.of(in, out);
  private final Supplier<StreamCall> opening;

  /**
   * A stream that was opened.
   *
   * @param headers those of the response
   * @param call what ends both flows
   */
  record Opened(CompletionStage<byte[]> headers, StreamCall call) {}

  CallerFlow(Supplier<StreamCall> opening) {
    this.opening = opening;
  }

  @Override
  public FlowShape<byte[], byte[]> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, Opened> createLogicAndMaterializedValuePair(Attributes attributes) {
    StreamCall call = opening.get();
    ElementStream stream = call.ends();
    ElementLogic logic = new ElementLogic(shape);
    CompletionStage<byte[]> headers = logic.receive(out, stream.inlet(), true);
    logic.send(in, stream.outlet(), CallStatus.SOURCE_FAILED);
    return Pair.create(logic, new Opened(headers, call));
  }
}
