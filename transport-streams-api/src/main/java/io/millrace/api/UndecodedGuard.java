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
 * Passes the responses of one stream on until one of its requests could not be decoded; then fails
 * with that, whatever the handler makes of it. The handler may have nothing more to say of its own.
 */
final class UndecodedGuard extends GraphStage<FlowShape<byte[], byte[]>> {
  private final Inlet<byte[]> in = Inlet.create("UndecodedGuard.in");
  private final Outlet<byte[]> out = Outlet.create("UndecodedGuard.out");
  private final FlowShape<byte[], byte[]> shape = FlowShape.of(in, out);
  private final CompletableFuture<Throwable> undecoded = new CompletableFuture<>();

  /** A request could not be decoded. Any thread. */
  void fail(Throwable failure) {
    undecoded.complete(failure);
  }

  @Override
  public FlowShape<byte[], byte[]> shape() {
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
              push(out, grab(in));
            }

            @Override
            public void onPull() {
              pull(in);
            }

            @Override
            public void onUpstreamFinish() {
              if (undecoded.isDone()) {
                failStage(undecoded.resultNow());
              } else {
                completeStage();
              }
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              failStage(undecoded.getNow(failure));
            }
          });
    }

    @Override
    public void preStart() {
      var _ = undecoded.thenAccept(failed::invoke);
    }
  }
}
