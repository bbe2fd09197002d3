package io.millrace.api;

import io.millrace.body.RequestScreen;
import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementOutlet;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FirstEnd;
import io.millrace.ends.LaneTask;
import io.millrace.path.stream.StreamAcceptor;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SinkShape;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/** A stream opened by a peer, from the hand-over to the executor until the response. */
final class ServedStream implements LaneTask {
  private final StreamOffer offer;
  private final Acceptor route;
  private final CallException.Site site;
  private Requests<?> requests;

  /** Receives the end of the answer, with the failure of the stream or null. */
  private Consumer<@Nullable Throwable> onEnd = _ -> {};

  /** Answers a stream by one of its {@code respond} methods. */
  @FunctionalInterface
  interface Handler {
    void handle(ServedStream stream) throws Exception;
  }

  ServedStream(StreamOffer offer, Acceptor route) {
    this.offer = offer;
    this.route = route;
    site = CallException.Site.served(offer.caller().peer(), route.faults().route());
    requests = new Requests<>(offer.stream().inlet(), Function.identity(), site, route.streams());
  }

  /** Hands the stream over to the lane, which runs the handler. On the worker's thread. */
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
  public int level() {
    return offer.priority();
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

  /**
   * Whether the caller has given the stream up. A caller that wants no response has given the
   * stream up, except in a bidirectional stream, whose requests go on by themselves.
   */
  private boolean isForNobody() {
    return isUnwanted() && route.pattern() != StreamPattern.BIDIRECTIONAL;
  }

  /** Whether the caller wants no more responses, or cannot be reached. */
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

  /** Sets the receiver of the end of the answer; called before the handler runs. */
  void onEnd(Consumer<@Nullable Throwable> receiver) {
    onEnd = receiver;
  }

  /** Returns the decoded requests, which replace the source of an earlier call. */
  <Q> Source<Q, NotUsed> requests(Function<byte[], Q> decoder) {
    Requests<Q> decoded = new Requests<>(offer.stream().inlet(), decoder, site, route.streams());
    requests = decoded;
    return Source.fromGraph(decoded);
  }

  ServedContext context() {
    return new ServedContext(
        offer.caller(),
        offer.priority(),
        offer.headers(),
        offer.payload().length,
        offer.opening().token());
  }

  byte[] payload() {
    return offer.payload();
  }

  /** Answers with a stream of elements, and encodes the elements. */
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

  /**
   * Runs the elements at once, so the source notices the end of the stream; the elements wait for
   * the headers.
   */
  private void respondLater(CompletableFuture<byte[]> headers, Source<byte[], ?> elements) {
    // Refuse the requests first: after the end of the response, the caller would look lost.
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

  /**
   * Refuses the waiting requests, unless the failure comes from a lost caller: the handler may then
   * still take the waiting requests.
   */
  private void refuseRequests(Throwable failure) {
    if (!isUnwanted()) {
      offer.refuseRequests(status(failure), HandlerFailure.textOf(failure));
    }
  }

  private <R> void run(Source<R, ?> flow, Function<R, byte[]> encoder, Runnable onDone) {
    ElementOutlet outlet = offer.stream().outlet();
    flow.runWith(
        new Responses<>(
            outlet,
            encoder,
            () -> {
              onDone.run();
              onEnd.accept(isUnwanted() ? new CancellationException() : null);
            },
            e -> {
              route.faults().onFailure(offer.caller().peer(), e);
              onEnd.accept(e);
            },
            site,
            route.streams()),
        route.streams().materializer());
  }

  /** Answers with one message. */
  void respondOnce(CompletionStage<UnaryResponse> response) {
    respondOnce(response, UnaryResponse::headers, UnaryResponse::payload);
  }

  /**
   * Answers with one message.
   *
   * @param headers encodes the headers of the message
   * @param payload encodes the message; an exception counts as a failure of the handler
   */
  <R> void respondOnce(
      CompletionStage<R> response, Function<R, byte[]> headers, Function<R, byte[]> payload) {
    if (HandlerFuture.isOpen(response)) {
      LaneTask cancelling = LaneTask.always(() -> HandlerFuture.cancel(response));
      // No code waits for room here, so the listener only gets the end.
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
      fail(new HandlerFailure.LongHeadersException(problem));
      return;
    }
    ElementOutlet outlet = offer.stream().outlet();
    outlet.offer(headers);
    if (outlet.refuse(payload) == null) {
      outlet.offer(payload);
      outlet.end();
    }
    try {
      onEnd.accept(null);
    } finally {
      requests.cancelUnlessTaken();
    }
  }

  private byte[] checked(byte[] headers) {
    Objects.requireNonNull(headers, "the response's headers are null");
    String problem = offer.limits().problem(headers.length);
    if (problem != null) {
      throw new HandlerFailure.LongHeadersException(problem);
    }
    return headers;
  }

  private void fail(Throwable failure) {
    try {
      route.faults().onFailure(offer.caller().peer(), failure);
      onEnd.accept(failure);
    } finally {
      if (isUnwanted()) {
        // No caller is left to tell; the handler may still take the waiting requests.
        requests.cancelUnlessTaken();
      } else {
        offer.refuse(status(failure), HandlerFailure.textOf(failure));
      }
    }
  }

  private static CallStatus status(Throwable failure) {
    return HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED);
  }

  /**
   * Serves the streams of one route: hands each stream over to the executor.
   *
   * @param pattern one of {@link io.millrace.protocol.stream.StreamPattern}
   * @param screen accepts or refuses streams by their headers
   * @param handler answers the streams
   * @param lane runs the screen and the handler
   * @param streams runs the elements
   * @param faults counts the handler's exceptions
   */
  record Acceptor(
      int pattern,
      RequestScreen screen,
      Handler handler,
      ExecutorLane lane,
      NodeExecutors.Streams streams,
      HandlerFaults faults)
      implements StreamAcceptor {
    @Override
    public void onStream(StreamOffer offer) {
      new ServedStream(offer, this).handOver();
    }
  }

  /** The request flow of a stream at the serving side; materialized once at most. */
  private static final class Requests<Q> extends GraphStage<SourceShape<Q>> {
    private final Outlet<Q> out = Outlet.create("Requests.out");
    private final SourceShape<Q> shape = SourceShape.of(out);
    private final ElementInlet inlet;
    private final Function<byte[], Q> decoder;
    private final CallException.Site site;
    private final NodeExecutors.Streams streams;
    private final AtomicBoolean taken = new AtomicBoolean();

    Requests(
        ElementInlet inlet,
        Function<byte[], Q> decoder,
        CallException.Site site,
        NodeExecutors.Streams streams) {
      this.site = site;
      this.streams = streams;
      this.inlet = inlet;
      this.decoder = decoder;
    }

    /**
     * Cancels the requests if the handler has not materialized the source; a later materialization
     * fails.
     */
    void cancelUnlessTaken() {
      if (taken.compareAndSet(false, true)) {
        inlet.cancel();
      }
    }

    @Override
    public SourceShape<Q> shape() {
      return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
      if (!taken.compareAndSet(false, true)) {
        throw new IllegalStateException("the requests of a stream can be materialized once only");
      }
      ElementLogic logic = new ElementLogic(shape, site, streams);
      var _ = logic.receive(out, inlet, decoder, false);
      return logic;
    }
  }

  /** The response flow of a stream at the serving side. */
  private static final class Responses<R> extends GraphStage<SinkShape<R>> {
    private final Inlet<R> in = Inlet.create("Responses.in");
    private final SinkShape<R> shape = SinkShape.of(in);
    private final ElementOutlet outlet;
    private final Function<R, byte[]> encoder;
    private final Runnable onEnd;
    private final Consumer<Throwable> onFailure;
    private final CallException.Site site;
    private final NodeExecutors.Streams streams;

    /**
     * Creates a sink that sends its elements through the outlet.
     *
     * @param onEnd runs when the sink has stopped
     * @param onFailure gets the failure of the elements
     */
    Responses(
        ElementOutlet outlet,
        Function<R, byte[]> encoder,
        Runnable onEnd,
        Consumer<Throwable> onFailure,
        CallException.Site site,
        NodeExecutors.Streams streams) {
      this.site = site;
      this.streams = streams;
      this.outlet = outlet;
      this.encoder = encoder;
      this.onEnd = onEnd;
      this.onFailure = onFailure;
    }

    @Override
    public SinkShape<R> shape() {
      return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
      ElementLogic logic = new ElementLogic(shape, site, streams);
      logic.send(in, outlet, encoder, CallStatus.HANDLER_FAILED, onFailure);
      logic.onEnd(onEnd);
      return logic;
    }
  }
}
