package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/**
 * Passes the elements of one stream on until something beside them has failed; then fails with
 * that, whatever becomes of the elements: there may be no more of them, and no end. For one
 * materialization.
 */
final class FailureGuard<T> extends GraphStage<FlowShape<T, T>> {
  private final Inlet<T> in = Inlet.create("FailureGuard.in");
  private final Outlet<T> out = Outlet.create("FailureGuard.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  /** It failed with this; the first one counts. Any thread. */
  void fail(Throwable why) {
    failure.complete(why);
  }

  @Override
  public FlowShape<T, T> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {
    private final AsyncCallback<Throwable> failed = createAsyncCallback(this::failStage);

    Logic() {
      super(shape);
      setHandlers(
          in,
          out,
          new AbstractInOutHandler() {
            @Override
            public void onPush() {
              if (failure.isDone()) {
                failStage(failure.resultNow());
              } else {
                push(out, grab(in));
              }
            }

            @Override
            public void onPull() {
              pull(in);
            }

            @Override
            public void onUpstreamFinish() {
              if (failure.isDone()) {
                failStage(failure.resultNow());
              } else {
                completeStage();
              }
            }

            @Override
            public void onUpstreamFailure(Throwable why) {
              failStage(failure.getNow(why));
            }
          });
    }

    @Override
    public void preStart() {
      var _ = failure.thenAccept(failed::invoke);
    }
  }
}
