package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import io.millrace.config.TransportSettings;
import io.millrace.ends.ElementStream;
import io.millrace.ends.FailureText;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.stream.StreamCall;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CallStatus;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.SourceShape;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.AbstractGraphStageWithMaterializedValue;
import org.apache.pekko.stream.stage.AbstractInOutHandler;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.jspecify.annotations.Nullable;

/** Opens streams to one peer, one stream for each materialization. Any thread. */
final class PeerStreams {
  private static final byte[] NO_BYTES = {};

  private final Supplier<PeerHandle> handles;
  private final TransportSettings settings;
  private final Spans spans;
  private final NodeExecutors.Streams streams;

  PeerStreams(
      Supplier<PeerHandle> handles,
      TransportSettings settings,
      Spans spans,
      NodeExecutors.Streams streams) {
    this.spans = spans;
    this.streams = streams;
    this.handles = handles;
    this.settings = settings;
  }

  private static CallException.Site site(PeerHandle peer, Route<?, ?> route) {
    return CallException.Site.of(peer.identity(), route.name());
  }

  private static <Q> Function<Q, byte[]> requests(Route<Q, ?> route) {
    Codec<Q> codec = route.requests();
    return value -> Coding.encodeRequest(codec, value);
  }

  private static <R> Function<byte[], R> responses(Route<?, R> route) {
    Codec<R> codec = route.responses();
    return message -> Coding.decodeResponse(codec, message);
  }

  private static CompletionStage<Headers> decoded(CompletionStage<byte[]> block) {
    return block.thenApply(Headers::decode);
  }

  <Q, R> Source<R, CompletionStage<Headers>> streamingResponse(
      Route<Q, R> route, Q request, TransferOptions options) {
    byte[] payload;
    try {
      payload = Coding.encodeRequest(route.requests(), request);
    } catch (CodecException e) {
      CallException failure = CallException.unencoded(e, site(handles.get(), route));
      return Source.<R>failed(failure)
          .mapMaterializedValue(_ -> CompletableFuture.<Headers>failedFuture(failure));
    }
    return Source.fromGraph(
            new ResponseSource<>(
                handles,
                (peer, logic) ->
                    call(
                        peer,
                        logic,
                        StreamPattern.STREAMING_RESPONSE,
                        route.id(),
                        options,
                        payload),
                route,
                streams))
        .mapMaterializedValue(PeerStreams::decoded);
  }

  <Q, R> Sink<Q, Call<R>> streamingRequest(Route<Q, R> route, TransferOptions options) {
    Function<byte[], byte[]> undecoded = Function.identity();
    return flow(StreamPattern.STREAMING_REQUEST, route, options, undecoded)
        .toMat(Sink.lastOption(), (opened, last) -> response(opened, last, route));
  }

  /** A handler that fails may have failed by the failure of the requests. */
  private static Throwable rootOf(
      Throwable failure, @Nullable Throwable ofRequests, CallException.Site site) {
    return ofRequests != null
            && failure instanceof CallException e
            && e.outcome() == CallOutcome.HANDLER_FAILED
        ? CallException.ofRequests(ofRequests, site)
        : failure;
  }

  private <R> Call<R> response(
      StreamFlow.Opened opened, CompletionStage<Optional<byte[]>> last, Route<?, R> route) {
    FutureCall.Answer<R> answer = route.answers();
    CallException.Site site = site(opened.peer(), route);
    EndingFuture<R> future = new EndingFuture<>(opened.peer());
    future.ends(opened.call());
    // The caller gets the failure of its own requests, not the peer's answer to this failure.
    AtomicReference<@Nullable Throwable> ofRequests = new AtomicReference<>();
    opened.onFailure(
        failure -> {
          ofRequests.set(failure);
          if (failure instanceof CodecException e) {
            future.completeExceptionally(CallException.unencodedElement(e, site));
          }
        });
    opened
        .headers()
        .thenCombine(
            last,
            (bytes, payload) ->
                new UnaryResponse(bytes, payload.orElseThrow(() -> noResponse(site))))
        .whenComplete(
            (response, failure) -> {
              try {
                Throwable own = ofRequests.get();
                if (response == null) {
                  future.fail(rootOf(FailureText.cause(failure), own, site));
                } else {
                  byte[] headers = response.headers();
                  future.answer(headers, answer.of(headers, response.payload()));
                }
              } catch (RuntimeException | Error e) {
                future.fail(CallException.notDecoded(e, site));
              }
            });
    return future;
  }

  <Q, R> Flow<Q, R, CompletionStage<Headers>> bidirectional(
      Route<Q, R> route, TransferOptions options) {
    return flow(StreamPattern.BIDIRECTIONAL, route, options, responses(route))
        .mapMaterializedValue(opened -> decoded(opened.headers()));
  }

  private <Q, T> Flow<Q, T, StreamFlow.Opened> flow(
      int pattern, Route<Q, ?> route, TransferOptions options, Function<byte[], T> decoder) {
    return Flow.fromGraph(
        new StreamFlow<>(
            handles,
            (peer, logic) -> call(peer, logic, pattern, route.id(), options, NO_BYTES),
            route,
            decoder,
            streams));
  }

  private StreamCall call(
      PeerHandle peer,
      ElementLogic logic,
      int pattern,
      RouteId route,
      TransferOptions options,
      byte[] payload) {
    String name = Spans.patternOf(pattern);
    long bytes = Spans.requestBytes(name, payload);
    Spans.CallSpan span = spans.begin(peer.identity(), route, name, bytes, options);
    StreamCall call = call(peer, pattern, route, span.with(options), payload);
    span.stream(call, logic);
    return call;
  }

  private StreamCall call(
      PeerHandle peer, int pattern, RouteId route, TransferOptions options, byte[] payload) {
    StreamCall call =
        new StreamCall(
            peer.link(options.dependencies()),
            peer.port(),
            pattern,
            new StreamCall.Opening(route.id(), options.priority(), options.headerBlock(), payload),
            settings);
    call.expireAfter(options.deadline().toNanos());
    call.waitForReady(options.readyWait().toNanos());
    call.dependOn(options.dependencies(), peer.port().causality());
    return call;
  }

  private static CallException noResponse(CallException.Site site) {
    return CallException.at(CallOutcome.HANDLER_FAILED, "the peer gave no response", site);
  }

  /** Both flows of a stream at the opening side. */
  private static final class StreamFlow<Q, R>
      extends AbstractGraphStageWithMaterializedValue<FlowShape<Q, R>, StreamFlow.Opened> {
    private final Inlet<Q> in = Inlet.create("StreamFlow.in");
    private final Outlet<R> out = Outlet.create("StreamFlow.out");
    private final FlowShape<Q, R> shape = FlowShape.of(in, out);
    private final Supplier<PeerHandle> handles;
    private final BiFunction<PeerHandle, ElementLogic, StreamCall> calls;
    private final Route<Q, ?> route;
    private final Function<byte[], R> decoder;
    private final NodeExecutors.Streams streams;

    /** A stream that opens when its graph starts. */
    static final class Opened {
      private final PeerHandle peer;
      private final StreamCall call;
      private final CompletionStage<byte[]> headers;
      private volatile Consumer<Throwable> onFailure = failure -> {};

      private Opened(PeerHandle peer, StreamCall call, CompletionStage<byte[]> headers) {
        this.peer = peer;
        this.call = call;
        this.headers = headers;
      }

      /** The peer to which the stream was submitted. */
      PeerHandle peer() {
        return peer;
      }

      /** The call, which ends both flows. */
      StreamCall call() {
        return call;
      }

      /** The headers of the response. */
      CompletionStage<byte[]> headers() {
        return headers;
      }

      /**
       * Sets the listener for a failure of the requests, called ahead of the peer; set before the
       * graph starts.
       */
      void onFailure(Consumer<Throwable> listener) {
        onFailure = listener;
      }
    }

    /**
     * Creates a flow; each materialization submits a call from {@code calls} to the present peer
     * from {@code handles}.
     */
    StreamFlow(
        Supplier<PeerHandle> handles,
        BiFunction<PeerHandle, ElementLogic, StreamCall> calls,
        Route<Q, ?> route,
        Function<byte[], R> decoder,
        NodeExecutors.Streams streams) {
      this.streams = streams;
      this.handles = handles;
      this.calls = calls;
      this.route = route;
      this.decoder = decoder;
    }

    @Override
    public FlowShape<Q, R> shape() {
      return shape;
    }

    @Override
    public Pair<GraphStageLogic, Opened> createLogicAndMaterializedValuePair(
        Attributes attributes) {
      PeerHandle peer = handles.get();
      ElementLogic logic = new ElementLogic(shape, site(peer, route), streams);
      StreamCall call = calls.apply(peer, logic);
      ElementStream stream = call.ends();
      logic.onStart(() -> peer.submit(call));
      Opened opened = new Opened(peer, call, logic.receive(out, stream.inlet(), decoder, true));
      logic.send(
          in,
          stream.outlet(),
          requests(route),
          CallStatus.SOURCE_FAILED,
          failure -> opened.onFailure.accept(failure));
      return Pair.create(logic, opened);
    }
  }

  /** The response flow of a stream at the opening side. */
  private static final class ResponseSource<R>
      extends AbstractGraphStageWithMaterializedValue<SourceShape<R>, CompletionStage<byte[]>> {
    private final Outlet<R> out = Outlet.create("ResponseSource.out");
    private final SourceShape<R> shape = SourceShape.of(out);
    private final Supplier<PeerHandle> handles;
    private final BiFunction<PeerHandle, ElementLogic, StreamCall> calls;
    private final Route<?, R> route;
    private final NodeExecutors.Streams streams;

    /**
     * Creates a source; each materialization submits a call from {@code calls} to the present peer
     * from {@code handles}.
     */
    ResponseSource(
        Supplier<PeerHandle> handles,
        BiFunction<PeerHandle, ElementLogic, StreamCall> calls,
        Route<?, R> route,
        NodeExecutors.Streams streams) {
      this.streams = streams;
      this.handles = handles;
      this.calls = calls;
      this.route = route;
    }

    @Override
    public SourceShape<R> shape() {
      return shape;
    }

    @Override
    public Pair<GraphStageLogic, CompletionStage<byte[]>> createLogicAndMaterializedValuePair(
        Attributes attributes) {
      PeerHandle peer = handles.get();
      ElementLogic logic = new ElementLogic(shape, site(peer, route), streams);
      StreamCall call = calls.apply(peer, logic);
      logic.onStart(() -> peer.submit(call));
      return Pair.create(logic, logic.receive(out, call.ends().inlet(), responses(route), true));
    }
  }

  /**
   * Passes elements on. The materialized future completes on the stage's thread when the graph
   * starts, and never if another stage of the graph cannot be created. Work that needs an end
   * therefore begins only after the start.
   */
  static final class StartSignal<T>
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
}
