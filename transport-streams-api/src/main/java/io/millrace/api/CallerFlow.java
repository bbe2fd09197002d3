package io.millrace.api;

import io.millrace.ends.ElementStream;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.stream.StreamCall;
import io.millrace.wire.codec.CallStatus;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.GraphStageLogic;

/** Both flows of a stream at the opening side. */
final class CallerFlow<Q, R>
    extends AbstractGraphStageWithMaterializedValue<FlowShape<Q, R>, CallerFlow.Opened> {
  private final Inlet<Q> in = Inlet.create("CallerFlow.in");
  private final Outlet<R> out = Outlet.create("CallerFlow.out");
  private final FlowShape<Q, R> shape = FlowShape.of(in, out);
  private final Supplier<PeerHandle> handles;
  private final BiFunction<PeerHandle, ElementLogic, StreamCall> calls;
  private final Function<Q, byte[]> encoder;
  private final Function<byte[], R> decoder;

  /** A stream that opens when its graph starts. */
  static final class Opened {
    private final PeerHandle peer;
    private final StreamCall call;
    private final CompletionStage<byte[]> headers;
    private volatile Consumer<Throwable> onFailure = failure -> {};

    private Opened(PeerHandle peer, StreamCall call, CompletionStage<byte[]> headers) {
      this.peer = peer;
      this.call = call;
      this.headers = headers;
    }

    /** The peer to which the stream was submitted. */
    PeerHandle peer() {
      return peer;
    }

    /** The call, which ends both flows. */
    StreamCall call() {
      return call;
    }

    /** The headers of the response. */
    CompletionStage<byte[]> headers() {
      return headers;
    }

    /**
     * Sets the listener for a failure of the requests, called ahead of the peer; set before the
     * graph starts.
     */
    void onFailure(Consumer<Throwable> listener) {
      onFailure = listener;
    }
  }

  /**
   * Creates a flow; each materialization submits a call from {@code calls} to the present peer from
   * {@code handles}.
   */
  CallerFlow(
      Supplier<PeerHandle> handles,
      BiFunction<PeerHandle, ElementLogic, StreamCall> calls,
      Function<Q, byte[]> encoder,
      Function<byte[], R> decoder) {
    this.handles = handles;
    this.calls = calls;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  @Override
  public FlowShape<Q, R> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, Opened> createLogicAndMaterializedValuePair(Attributes attributes) {
    PeerHandle peer = handles.get();
    ElementLogic logic = new ElementLogic(shape);
    StreamCall call = calls.apply(peer, logic);
    ElementStream stream = call.ends();
    logic.onStart(() -> peer.submit(call));
    Opened opened = new Opened(peer, call, logic.receive(out, stream.inlet(), decoder, true));
    logic.send(
        in,
        stream.outlet(),
        encoder,
        CallStatus.SOURCE_FAILED,
        failure -> opened.onFailure.accept(failure));
    return Pair.create(logic, opened);
  }
}
