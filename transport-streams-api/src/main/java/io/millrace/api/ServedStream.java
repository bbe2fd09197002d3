package io.millrace.api;

import io.millrace.actor.stream.ElementOutlet;
import io.millrace.actor.stream.StreamOffer;
import io.millrace.actor.submission.LaneTask;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/** A stream that a peer opened, from its way to the executor to its response. */
final class ServedStream implements LaneTask {
  private final StreamOffer offer;
  private final ServedStreams route;
  private final ServedSource requests;

  /** Answers a stream by one of its {@code respond} methods. */
  @FunctionalInterface
  interface Handler {
    void handle(ServedStream stream) throws Exception;
  }

  ServedStream(StreamOffer offer, ServedStreams route) {
    this.offer = offer;
    this.route = route;
    requests = new ServedSource(offer.stream().inlet());
  }

  /** Has the handler run on the lane. On the worker's thread. */
  void handOver() {
    if (!route.lane().offer(this)) {
      offer.refuse(CallStatus.OVERLOADED, "the executor's queue is full");
    }
  }

  @Override
  public void onRejected() {
    offer.refuse(CallStatus.OVERLOADED, "the executor refuses tasks");
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public void run() {
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
                offer.peer(),
                offer.priority(),
                offer.headers(),
                offer.payload().length,
                text -> offer.refuse(CallStatus.REFUSED, text));
  }

  UnaryCall unary() {
    return new UnaryCall(offer.peer(), offer.priority(), offer.headers(), offer.payload());
  }

  StreamingCall streaming() {
    return new StreamingCall(
        offer.peer(), offer.priority(), offer.headers(), Source.fromGraph(requests));
  }

  /** Answers with a stream. */
  void respond(StreamingResponse response) {
    CompletableFuture<byte[]> headers = response.headers().toCompletableFuture();
    if (!headers.isDone() || headers.isCompletedExceptionally()) {
      respondLater(headers, response.elements());
      return;
    }
    byte[] known = checked(headers.resultNow());
    offer.stream().outlet().offer(known);
    run(response.elements(), requests::cancelUnlessTaken);
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

  private void run(Source<byte[], ?> flow, Runnable onEnd) {
    ElementOutlet outlet = offer.stream().outlet();
    flow.runWith(
        new ServedSink(outlet, onEnd, e -> route.faults().onFailure(offer.peer(), e)),
        route.materializer());
  }

  /** Answers with one message. */
  void respondOnce(CompletionStage<UnaryResponse> response) {
    if (HandlerFuture.isOpen(response)) {
      LaneTask cancelling = LaneTask.always(() -> HandlerFuture.cancel(response));
      // Nobody waits for room, so it is told of the end only.
      offer.stream().outlet().listener(() -> route.lane().give(cancelling));
      if (isUnwanted()) {
        HandlerFuture.cancel(response);
      }
    }
    response.whenComplete(this::finish);
  }

  private void finish(@Nullable UnaryResponse response, @Nullable Throwable failure) {
    if (response == null) {
      fail(failure == null ? new NullPointerException("the handler answered null") : failure);
      return;
    }
    byte[] headers = response.headers();
    String problem = offer.limits().problem(headers.length);
    if (problem != null) {
      fail(new LongHeadersException(problem));
      return;
    }
    ElementOutlet outlet = offer.stream().outlet();
    outlet.offer(headers);
    byte[] payload = response.payload();
    if (outlet.refuse(payload) == null) {
      outlet.offer(payload);
      outlet.end();
    }
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
    route.faults().onFailure(offer.peer(), failure);
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
