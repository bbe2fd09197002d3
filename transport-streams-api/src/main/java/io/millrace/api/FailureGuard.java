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
 * Passes the elements of one stream on until a failure outside the stream, then fails with this
 * failure. The guard fails in every state of the elements: the stream may have no further element
 * and no end. For one materialization.
 */
final class FailureGuard<T> extends GraphStage<FlowShape<T, T>> {
  private final Inlet<T> in = Inlet.create("FailureGuard.in");
  private final Outlet<T> out = Outlet.create("FailureGuard.out");
  private final FlowShape<T, T> shape = FlowShape.of(in, out);
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  /** Fails the stream with this failure; the first failure counts. Any thread. */
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
