package io.millrace.api;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.stream.StreamCall;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The response flow of a stream at the side that opens it. */
final class CallerSource<R>
    extends AbstractGraphStageWithMaterializedValue<SourceShape<R>, CompletionStage<byte[]>> {
  private final Outlet<R> out = Outlet.create("CallerSource.out");
  private final SourceShape<R> shape = SourceShape.of(out);
  private final PeerHandle handle;
  private final Supplier<StreamCall> calls;
  private final Function<byte[], R> decoder;

  /** Each materialization submits one of {@code calls} to the peer of {@code handle}. */
  CallerSource(PeerHandle handle, Supplier<StreamCall> calls, Function<byte[], R> decoder) {
    this.handle = handle;
    this.calls = calls;
    this.decoder = decoder;
  }

  @Override
  public SourceShape<R> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, CompletionStage<byte[]>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    StreamCall call = calls.get();
    ElementLogic logic = new ElementLogic(shape);
    logic.onStart(() -> handle.submit(call));
    return Pair.create(logic, logic.receive(out, call.ends().inlet(), decoder, true));
  }
}
