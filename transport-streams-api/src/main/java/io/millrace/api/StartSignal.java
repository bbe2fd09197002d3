package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStageLogic;

/**
 * Passes elements on. The materialized future completes on the stage's thread when the graph
 * starts, and never if another stage of the graph cannot be created. Work that needs an end
 * therefore begins only after the start.
 */
final class StartSignal<T>
    extends AbstractGraphStageWithMaterializedValue<FlowShape<T, T>, CompletableFuture<Done>> {
  private final Inlet<T> in = Inlet.create("StartSignal.in");
  private final Outlet<T> out = Outlet.create("StartSignal.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);

  @Override
  public FlowShape<T, T> shape() {
    return shape;
  }

  @Override
  public Pair<GraphStageLogic, CompletableFuture<Done>> createLogicAndMaterializedValuePair(
      Attributes attributes) {
    CompletableFuture<Done> started = new CompletableFuture<>();
    return Pair.create(new Logic(started), started);
  }

  private final class Logic extends GraphStageLogic {
    private final CompletableFuture<Done> started;

    Logic(CompletableFuture<Done> started) {
      super(shape);
      this.started = started;
      setHandlers(
          in,
          out,
          new AbstractInOutHandler() {
            @Override
            public void onPush() {
              push(out, grab(in));
            }

            @Override
            public void onPull() {
              pull(in);
            }
          });
    }

    @Override
    public void preStart() {
      started.complete(Done.getInstance());
    }
  }
}
