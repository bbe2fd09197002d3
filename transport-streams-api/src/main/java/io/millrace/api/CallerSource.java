package io.millrace.api;

import io.millrace.path.peer.PeerHandle;
import io.millrace.path.stream.StreamCall;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** The response flow of a stream at the opening side. */
final class CallerSource<R>
    extends AbstractGraphStageWithMaterializedValue<SourceShape<R>, CompletionStage<byte[]>> {
  private final Outlet<R> out = Outlet.create("CallerSource.out");
  private final SourceShape<R> shape = SourceShape.of(out);
  private final Supplier<PeerHandle> handles;
  private final BiFunction<PeerHandle, ElementLogic, StreamCall> calls;
  private final Function<byte[], R> decoder;

  /**
   * Creates a source; each materialization submits a call from {@code calls} to the present peer
   * from {@code handles}.
   */
  CallerSource(
      Supplier<PeerHandle> handles,
      BiFunction<PeerHandle, ElementLogic, StreamCall> calls,
      Function<byte[], R> decoder) {
    this.handles = handles;
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
    PeerHandle peer = handles.get();
    ElementLogic logic = new ElementLogic(shape);
    StreamCall call = calls.apply(peer, logic);
    logic.onStart(() -> peer.submit(call));
    return Pair.create(logic, logic.receive(out, call.ends().inlet(), decoder, true));
  }
}
