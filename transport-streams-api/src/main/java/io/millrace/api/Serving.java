package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.japi.function.Function2;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/**
 * The serving side of routes. A handler without a context answers without headers, and costs
 * neither context nor headers. Any thread.
 */
final class Serving {
  private static final byte[] NO_BYTES = {};
  private static final CompletionStage<byte[]> NO_HEADERS =
      CompletableFuture.completedFuture(NO_BYTES);

  private Serving() {}

  static <Q, R> ExecutorHandler.Work unary(
      Route<Q, R> route, Function<? super Q, ? extends CompletionStage<R>> handler) {
    Codec<R> codec = route.responses();
    return ExecutorHandler.Work.of(
        call -> handler.apply(decoded(route, call.payload())),
        (R response) -> new UnaryResponse(NO_BYTES, Coding.encodeResponse(codec, response)));
  }

  static <Q, R> ExecutorHandler.Work unary(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends CompletionStage<R>> handler) {
    return ExecutorHandler.Work.of(
        call -> {
          ServedContext context =
              new ServedContext(
                  call.caller(),
                  call.priority(),
                  call.headers(),
                  call.payload().length,
                  call.token());
          CompletionStage<R> answer =
              answered(handler.apply(decoded(route, call.payload()), context));
          return passingOn(answer, encoded(route, context, answer));
        },
        java.util.function.Function.<UnaryResponse>identity());
  }

  static <Q, R> ServedStream.Handler streamingResponse(
      Route<Q, R> route, Function<? super Q, ? extends Source<R, ?>> handler) {
    return stream ->
        stream.respond(NO_HEADERS, handler.apply(decoded(route, stream.payload())), encoder(route));
  }

  static <Q, R> ServedStream.Handler streamingResponse(
      Route<Q, R> route, Function2<? super Q, CallContext, ? extends Source<R, ?>> handler) {
    return stream -> {
      ServedContext context = stream.context();
      Source<R, ?> elements = handler.apply(decoded(route, stream.payload()), context);
      stream.respond(context.block(), elements, encoder(route));
    };
  }

  static <Q, R> ServedStream.Handler streamingRequest(
      Route<Q, R> route,
      Function<? super Source<Q, NotUsed>, ? extends CompletionStage<R>> handler) {
    java.util.function.Function<R, byte[]> encoder = encoder(route);
    return stream -> {
      CompletableFuture<R> answer = new CompletableFuture<>();
      CompletionStage<R> given =
          answered(handler.apply(requests(route, stream, answer::completeExceptionally)));
      follow(answer, given);
      stream.respondOnce(passingOn(given, answer), response -> NO_BYTES, encoder);
    };
  }

  static <Q, R> ServedStream.Handler streamingRequest(
      Route<Q, R> route,
      Function2<? super Source<Q, NotUsed>, CallContext, ? extends CompletionStage<R>> handler) {
    return stream -> {
      ServedContext context = stream.context();
      CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
      CompletionStage<R> given =
          answered(handler.apply(requests(route, stream, answer::completeExceptionally), context));
      follow(answer, encoded(route, context, given));
      stream.respondOnce(passingOn(given, answer));
    };
  }

  static <Q, R> ServedStream.Handler bidirectional(
      Route<Q, R> route, Function<? super Source<Q, NotUsed>, ? extends Source<R, ?>> handler) {
    return stream -> {
      FailureGuard<R> guard = new FailureGuard<>();
      Source<R, ?> elements = handler.apply(requests(route, stream, guard::fail));
      stream.respond(NO_HEADERS, elements.via(guard), encoder(route));
    };
  }

  static <Q, R> ServedStream.Handler bidirectional(
      Route<Q, R> route,
      Function2<? super Source<Q, NotUsed>, CallContext, ? extends Source<R, ?>> handler) {
    return stream -> {
      ServedContext context = stream.context();
      FailureGuard<R> guard = new FailureGuard<>();
      Source<R, ?> elements = handler.apply(requests(route, stream, guard::fail), context);
      stream.respond(context.block(), elements.via(guard), encoder(route));
    };
  }

  private static <R> CompletionStage<R> answered(@Nullable CompletionStage<R> answer) {
    return Objects.requireNonNull(answer, "the handler answered null");
  }

  /**
   * Completes {@code answer} with the end of {@code given}, unless {@code answer} has ended before.
   */
  private static <T> void follow(CompletableFuture<T> answer, CompletionStage<T> given) {
    given.whenComplete(
        (response, failure) -> {
          if (failure == null) {
            answer.complete(response);
          } else {
            answer.completeExceptionally(failure);
          }
        });
  }

  /**
   * Returns the answer. If the caller gives the answer up, the node cancels the handler's stage,
   * too.
   */
  private static <T> CompletionStage<T> passingOn(
      CompletionStage<?> given, CompletionStage<T> answer) {
    if (HandlerFuture.isOpen(given)) {
      answer.whenComplete((response, failure) -> HandlerFuture.cancel(given));
    }
    return answer;
  }

  private static <Q> Q decoded(Route<Q, ?> route, byte[] payload) {
    try {
      return Coding.decodeRequest(route.requests(), payload);
    } catch (CodecException e) {
      throw new HandlerFailure.UndecodedRequestException(e);
    }
  }

  /**
   * Returns the decoded requests; reports an undecodable request before failing with the exception.
   */
  private static <Q> Source<Q, NotUsed> requests(
      Route<Q, ?> route, ServedStream stream, Consumer<Throwable> undecoded) {
    Codec<Q> codec = route.requests();
    return stream.requests(
        message -> {
          try {
            return Coding.decodeRequest(codec, message);
          } catch (CodecException e) {
            undecoded.accept(new HandlerFailure.UndecodedRequestException(e));
            throw e;
          }
        });
  }

  private static <R> java.util.function.Function<R, byte[]> encoder(Route<?, R> route) {
    Codec<R> codec = route.responses();
    return value -> Coding.encodeResponse(codec, value);
  }

  private static <R> CompletionStage<UnaryResponse> encoded(
      Route<?, R> route, ServedContext context, CompletionStage<R> answer) {
    return answer.thenCompose(value -> encoded(route, context, value));
  }

  private static <R> CompletionStage<UnaryResponse> encoded(
      Route<?, R> route, ServedContext context, @Nullable R value) {
    byte[] payload =
        Coding.encodeResponse(
            route.responses(), Objects.requireNonNull(value, "the handler answered null"));
    return context.block().thenApply(block -> new UnaryResponse(block, payload));
  }

  /**
   * Passes the elements of one stream on until a failure outside the stream, then fails with this
   * failure. The guard fails in every state of the elements: the stream may have no further element
   * and no end. For one materialization.
   */
  private static final class FailureGuard<T> extends GraphStage<FlowShape<T, T>> {
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
}
