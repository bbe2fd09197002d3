package io.millrace.api;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.BidiShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;

/**
 * What lies around the stage that waits for calls in order: gives it each request as what begins
 * the call, passes its answers on, and ends the calls that are still open when the stream is over,
 * however it ends.
 */
final class OpenCalls<Q, R> extends GraphStage<BidiShape<Q, Supplier<CompletableFuture<R>>, R, R>> {
  private final Inlet<Q> requests = Inlet.create("OpenCalls.requests");
  private final Outlet<Supplier<CompletableFuture<R>>> calls = Outlet.create("OpenCalls.calls");
  private final Inlet<R> answers = Inlet.create("OpenCalls.answers");
  private final Outlet<R> responses = Outlet.create("OpenCalls.responses");
  private final BidiShape<Q, Supplier<CompletableFuture<R>>, R, R> shape =
      new BidiShape<>(requests, calls, answers, responses);
  private final Function<Q, CompletableFuture<R>> begin;

  /** Calls that {@code begin} begins; to cancel what it returns ends the call. */
  OpenCalls(Function<Q, CompletableFuture<R>> begin) {
    this.begin = begin;
  }

  @Override
  public BidiShape<Q, Supplier<CompletableFuture<R>>, R, R> shape() {
    return shape;
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends GraphStageLogic {
    /** In the order of their requests; those ahead of the first that waits have been let go. */
    private final ArrayDeque<CompletableFuture<R>> open = new ArrayDeque<>();

    Logic() {
      super(shape);
      passOn(requests, calls, request -> () -> begin(request));
      passOn(answers, responses, answer -> answer);
    }

    /** Each way closes by itself: requests that have ended leave calls to be answered. */
    private <A, B> void passOn(Inlet<A> in, Outlet<B> out, Function<A, B> change) {
      setHandler(
          in,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              push(out, change.apply(grab(in)));
            }

            @Override
            public void onUpstreamFinish() {
              complete(out);
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              fail(out, failure);
            }
          });
      setHandler(
          out,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(in);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              cancel(in, cause);
            }
          });
    }

    /** On the stream's thread, in the stage that waits. */
    private CompletableFuture<R> begin(Q request) {
      CompletableFuture<R> call = begin.apply(request);
      open.add(call);
      while (!open.isEmpty() && open.getFirst().isDone()) {
        open.removeFirst();
      }
      return call;
    }

    @Override
    public void postStop() {
      open.forEach(call -> call.cancel(false));
      open.clear();
    }
  }
}
