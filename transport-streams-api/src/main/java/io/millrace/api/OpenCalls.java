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
 * Surrounds the stage that waits for calls in order. Gives the stage each request as a supplier
 * that begins the call, and passes the answers on. Ends the open calls when the stream ends for any
 * reason.
 */
final class OpenCalls<Q, R> extends GraphStage<BidiShape<Q, Supplier<CompletableFuture<R>>, R, R>> {
  private final Inlet<Q> requests = Inlet.create("OpenCalls.requests");
  private final Outlet<Supplier<CompletableFuture<R>>> calls = Outlet.create("OpenCalls.calls");
  private final Inlet<R> answers = Inlet.create("OpenCalls.answers");
  private final Outlet<R> responses = Outlet.create("OpenCalls.responses");
  private final BidiShape<Q, Supplier<CompletableFuture<R>>, R, R> shape =
      new BidiShape<>(requests, calls, answers, responses);
  private final Function<Q, CompletableFuture<R>> begin;

  /** Creates the calls with {@code begin}; if a returned future is cancelled, its call ends. */
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
    /**
     * The open calls in the order of the requests; completed calls at the head are already removed.
     */
    private final ArrayDeque<CompletableFuture<R>> open = new ArrayDeque<>();

    Logic() {
      super(shape);
      passOn(requests, calls, request -> () -> begin(request));
      passOn(answers, responses, answer -> answer);
    }

    /**
     * Passes elements from inlet to outlet. Each direction closes by itself: after the end of the
     * requests, open calls still get their answers.
     */
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

    /** Begins a call; on the stream's thread, in the waiting stage. */
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
