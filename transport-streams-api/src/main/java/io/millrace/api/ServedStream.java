package io.millrace.api;

import io.millrace.ends.ElementOutlet;
import io.millrace.ends.FirstEnd;
import io.millrace.ends.LaneTask;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.trace.TransferSpan;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/** A stream that a peer opened, from its way to the executor to its response. */
final class ServedStream implements LaneTask {
  private final StreamOffer offer;
  private final ServedStreams route;
  private ServedSource<?> requests;

  /** Ends when the stream is answered; null if this node does not trace. */
  private @Nullable TransferSpan span;

  /** Serves one request with many responses, on the application's executor. */
  @FunctionalInterface
  interface ResponseHandler {
    /**
     * Answers one call; what it throws fails the caller's stream with {@code HANDLER_FAILED}. It is
     * not run any more if the caller has given the stream up before.
     */
    StreamingResponse handle(UnaryCall call) throws Exception;
  }

  /** Serves many requests with one response, on the application's executor. */
  @FunctionalInterface
  interface RequestHandler {
    /**
     * Answers one stream; the stage may be completed on any thread, before or after the last
     * request. What fails or is thrown fails the caller's stream with {@code HANDLER_FAILED}, and
     * ends the requests that were not taken: whoever takes them sees them fail, too. If the caller
     * gives the stream up first, or is lost, the handler is not run any more, or a {@link
     * java.util.concurrent.CompletableFuture} that it returned is cancelled, also after the last
     * request; requests that are all here already can still be taken.
     */
    CompletionStage<UnaryResponse> handle(StreamingCall call) throws Exception;
  }

  /** Serves many requests with many responses, on the application's executor. */
  @FunctionalInterface
  interface BidirectionalHandler {
    /**
     * Answers one stream; what it throws fails the caller's stream with {@code HANDLER_FAILED}. A
     * caller that wants no responses any more may still send requests; the {@link
     * StreamingResponse} says how the handler learns of it.
     */
    StreamingResponse handle(StreamingCall call) throws Exception;
  }

  /** Answers a stream by one of its {@code respond} methods. */
  @FunctionalInterface
  interface Handler {
    void handle(ServedStream stream) throws Exception;
  }

  ServedStream(StreamOffer offer, ServedStreams route) {
    this.offer = offer;
    this.route = route;
    requests = new ServedSource<>(offer.stream().inlet(), Function.identity());
  }

  /** Has the handler run on the lane. On the worker's thread. */
  void handOver() {
    offer.handOver(route.lane(), this);
  }

  @Override
  public void onRejected() {
    offer.onTaken();
    offer.refuse(CallStatus.OVERLOADED, "the executor refuses tasks");
    offer.onHandled();
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public void run() {
    offer.onTaken();
    try {
      handle();
    } finally {
      offer.onHandled();
    }
  }

  private void handle() {
    if (isForNobody()) {
      requests.cancelUnlessTaken();
      return;
    }
    if (!isAccepted()) {
      return;
    }
    try {
      route.handler().handle(this);
    } catch (Exception | Error e) {
      fail(e);
    }
  }

  /** Who wants no answer has given the stream up, unless its requests go on by themselves. */
  private boolean isForNobody() {
    return isUnwanted() && route.pattern() != StreamPattern.BIDIRECTIONAL;
  }

  /** Whether the caller wants no response any more, or cannot be reached. */
  private boolean isUnwanted() {
    return offer.stream().outlet().cancelled() != null;
  }

  private boolean isAccepted() {
    return offer.isScreened()
        || route
            .screen()
            .takes(
                offer.caller(),
                offer.priority(),
                offer.headers(),
                offer.payload().length,
                text -> offer.refuse(CallStatus.REFUSED, text));
  }

  /** It has this span. Before it is handled. */
  void traced(TransferSpan traced) {
    span = traced;
  }

  private void endSpan(@Nullable Throwable failure) {
    TransferSpan open = span;
    if (open != null) {
      TracedServing.end(open, failure);
    }
  }

  UnaryCall unary() {
    return new UnaryCall(offer.caller(), offer.priority(), offer.headers(), offer.payload());
  }

  StreamingCall streaming() {
    return new StreamingCall(
        offer.caller(), offer.priority(), offer.headers(), requests(Function.identity()));
  }

  /** The requests, decoded; in place of those that were had before. */
  <Q> Source<Q, NotUsed> requests(Function<byte[], Q> decoder) {
    ServedSource<Q> decoded = new ServedSource<>(offer.stream().inlet(), decoder);
    requests = decoded;
    return Source.fromGraph(decoded);
  }

  ServedContext context() {
    return new ServedContext(
        offer.caller(), offer.priority(), offer.headers(), offer.opening().token());
  }

  byte[] payload() {
    return offer.payload();
  }

  /** Answers with a stream. */
  void respond(StreamingResponse response) {
    respond(response.headers(), response.elements(), Function.identity());
  }

  /** Answers with a stream, encoded. */
  <R> void respond(
      CompletionStage<byte[]> given, Source<R, ?> elements, Function<R, byte[]> encoder) {
    CompletableFuture<byte[]> headers = given.toCompletableFuture();
    if (!headers.isDone() || headers.isCompletedExceptionally()) {
      respondLater(headers, elements.via(Coding.strict(Flow.<R>create().map(encoder::apply))));
      return;
    }
    byte[] known = checked(headers.resultNow());
    offer.stream().outlet().offer(known);
    run(elements, encoder, requests::cancelUnlessTaken);
  }

  /** The elements run at once, so that their source learns of the stream's end, and wait. */
  private void respondLater(CompletableFuture<byte[]> headers, Source<byte[], ?> elements) {
    // The requests come first: the end of the response would look like a caller that has gone.
    CompletableFuture<byte[]> known =
        headers
            .thenApply(this::checked)
            .whenComplete(
                (bytes, failure) -> {
                  if (failure != null) {
                    refuseRequests(failure);
                  }
                });
    run(
        Source.completionStage(known).concatLazy(elements),
        Function.identity(),
        () -> {
          requests.cancelUnlessTaken();
          HandlerFuture.cancel(headers);
        });
  }

  /** Those that wait are the handler's if it has failed because there is no caller any more. */
  private void refuseRequests(Throwable failure) {
    if (!isUnwanted()) {
      offer.refuseRequests(status(failure), HandlerFailure.textOf(failure));
    }
  }

  private <R> void run(Source<R, ?> flow, Function<R, byte[]> encoder, Runnable onEnd) {
    ElementOutlet outlet = offer.stream().outlet();
    flow.runWith(
        new ServedSink<>(
            outlet,
            encoder,
            () -> {
              onEnd.run();
              endSpan(isUnwanted() ? new CancellationException() : null);
            },
            e -> {
              route.faults().onFailure(offer.caller().peer(), e);
              endSpan(e);
            }),
        route.materializer());
  }

  /** Answers with one message. */
  void respondOnce(CompletionStage<UnaryResponse> response) {
    respondOnce(response, UnaryResponse::headers, UnaryResponse::payload);
  }

  /**
   * Answers with one message.
   *
   * @param headers of it
   * @param payload encodes it; what that throws is how the handler failed
   */
  <R> void respondOnce(
      CompletionStage<R> response, Function<R, byte[]> headers, Function<R, byte[]> payload) {
    if (HandlerFuture.isOpen(response)) {
      LaneTask cancelling = LaneTask.always(() -> HandlerFuture.cancel(response));
      // Nobody waits for room, so it is told of the end only.
      offer.stream().outlet().listener(() -> route.lane().give(cancelling));
      if (isUnwanted()) {
        HandlerFuture.cancel(response);
      }
    }
    response.whenComplete(
        new FirstEnd<R>(
            (value, failure) -> finish(value, failure, headers, payload), _ -> onRepeated()));
  }

  private void onRepeated() {
    route
        .faults()
        .onFailure(
            offer.caller().peer(),
            new IllegalStateException("the handler's stage has ended more than once"));
  }

  private <R> void finish(
      @Nullable R response,
      @Nullable Throwable failure,
      Function<R, byte[]> headersOf,
      Function<R, byte[]> payloadOf) {
    if (response == null) {
      fail(failure == null ? new NullPointerException("the handler answered null") : failure);
      return;
    }
    byte[] headers;
    byte[] payload;
    try {
      headers = headersOf.apply(response);
      payload = payloadOf.apply(response);
    } catch (RuntimeException | Error e) {
      fail(e);
      return;
    }
    String problem = offer.limits().problem(headers.length);
    if (problem != null) {
      fail(new LongHeadersException(problem));
      return;
    }
    ElementOutlet outlet = offer.stream().outlet();
    outlet.offer(headers);
    if (outlet.refuse(payload) == null) {
      outlet.offer(payload);
      outlet.end();
    }
    endSpan(null);
    requests.cancelUnlessTaken();
  }

  private byte[] checked(byte[] headers) {
    Objects.requireNonNull(headers, "the response's headers are null");
    String problem = offer.limits().problem(headers.length);
    if (problem != null) {
      throw new LongHeadersException(problem);
    }
    return headers;
  }

  private void fail(Throwable failure) {
    route.faults().onFailure(offer.caller().peer(), failure);
    endSpan(failure);
    if (isUnwanted()) {
      // Nobody is told; the requests that wait are the handler's, if it takes them.
      requests.cancelUnlessTaken();
    } else {
      offer.refuse(status(failure), HandlerFailure.textOf(failure));
    }
  }

  private static CallStatus status(Throwable failure) {
    return HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED);
  }
}
