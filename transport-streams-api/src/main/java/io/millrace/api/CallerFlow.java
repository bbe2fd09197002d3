package io.millrace.api;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.stream.ElementStream;
import io.millrace.actor.stream.StreamCall;
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
  private final PeerHandle handle;
  private final Supplier<StreamCall> calls;

  /**
   * A stream that opens when its graph starts.
   *
   * @param headers those of the response
   * @param call what ends both flows
   */
  record Opened(CompletionStage<byte[]> headers, StreamCall call) {}

  /** Each materialization submits one of {@code calls} to the peer of {@code handle}. */
  CallerFlow(PeerHandle handle, Supplier<StreamCall> calls) {
    this.handle = handle;
    this.calls = calls;
  }

  @Override
  public FlowShape<byte[], byte[]> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, Opened> createLogicAndMaterializedValuePair(Attributes attributes) {
    StreamCall call = calls.get();
    ElementStream stream = call.ends();
    ElementLogic logic = new ElementLogic(shape);
    logic.onStart(() -> handle.submit(call));
    CompletionStage<byte[]> headers = logic.receive(out, stream.inlet(), true);
    logic.send(in, stream.outlet(), CallStatus.SOURCE_FAILED);
    return Pair.create(logic, new Opened(headers, call));
  }
}
