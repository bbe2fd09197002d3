package io.millrace.api;

import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.api.codec.Codec;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** Calls and serves routes with arrays as messages and as headers. Any thread. */
final class Raw {
  private static final byte[] NO_BYTES = {};

  private Raw() {}

  /** Answers unary calls on the executor. */
  @FunctionalInterface
  interface UnaryHandler {
    CompletionStage<UnaryResponse> handle(ExecutorHandler.UnaryCall call) throws Exception;
  }

  /** Answers one request with many responses. */
  @FunctionalInterface
  interface ResponseHandler {
    StreamingResponse handle(OneRequest call) throws Exception;
  }

  /** Answers many requests with one response. */
  @FunctionalInterface
  interface RequestHandler {
    CompletionStage<UnaryResponse> handle(ManyRequests call) throws Exception;
  }

  /** Answers many requests with many responses. */
  @FunctionalInterface
  interface BidirectionalHandler {
    StreamingResponse handle(ManyRequests call) throws Exception;
  }

  /** A stream of a peer with one request. */
  record OneRequest(String peer, int priority, byte[] headers, byte[] payload) {}

  /** A stream of a peer with a source of requests, to materialize once at most. */
  record ManyRequests(
      String peer, int priority, byte[] headers, Source<byte[], NotUsed> elements) {}

  /** The headers and the elements of an answer. */
  record StreamingResponse(CompletionStage<byte[]> headers, Source<byte[], ?> elements) {
    StreamingResponse {
      Objects.requireNonNull(headers, "headers");
      Objects.requireNonNull(elements, "elements");
    }

    StreamingResponse(byte[] headers, Source<byte[], ?> elements) {
      this(CompletableFuture.completedFuture(Objects.requireNonNull(headers, "headers")), elements);
    }

    static StreamingResponse of(Source<byte[], ?> elements) {
      return new StreamingResponse(NO_BYTES, elements);
    }
  }

  private static final class Bytes implements Codec<byte[]> {
    static final Bytes CODEC = new Bytes();

    @Override
    public ByteString encode(byte[] value) {
      return ByteString.fromArrayUnsafe(value);
    }

    @Override
    public byte[] decode(ByteString message) {
      return message.toArrayUnsafe();
    }
  }

  /** A route whose elements are arrays. */
  @SuppressWarnings("NullAway") // some tests pass null on purpose
  static Route<byte[], byte[]> elements(RouteId id) {
    return id == null ? null : Route.of(id.name(), Bytes.CODEC, Bytes.CODEC);
  }

  /** The headers, or null for null: the API refuses null itself. */
  @SuppressWarnings("NullAway") // some tests pass null on purpose
  private static Headers decoded(byte[] headers) {
    return headers == null ? null : Headers.decode(headers);
  }

  /** A route whose single responses are arrays with headers. */
  private static Route<byte[], UnaryResponse> single(RouteId id) {
    Codec<UnaryResponse> unused = new OnlyAnswered();
    return new Route<>(id, Bytes.CODEC, unused, UnaryResponse::new);
  }

  private static final class OnlyAnswered implements Codec<UnaryResponse> {
    @Override
    public ByteString encode(UnaryResponse value) {
      throw new AssertionError("a caller encodes no response");
    }

    @Override
    public UnaryResponse decode(ByteString message) {
      throw new AssertionError("the route decodes its responses itself");
    }
  }

  static Call<UnaryResponse> unary(Peer peer, UnaryRequest request) {
    return peer.unary(single(request.route()), request.payload(), request.options());
  }

  static Call<UnaryResponse> unary(Peer peer, RouteId route, byte[] payload) {
    return unary(peer, UnaryRequest.of(route, payload));
  }

  static void unary(Peer peer, UnaryRequest request, WorkerCompletion completion) {
    ByteString payload = ByteString.fromArrayUnsafe(request.payload());
    peer.unaryOnWorker(elements(request.route()), payload, request.options(), completion);
  }

  static Flow<UnaryRequest, UnaryResponse, NotUsed> unaryFlow(Peer peer, int parallelism) {
    return Peer.calls(parallelism, request -> unary(peer, request));
  }

  static Call<BulkReceipt> bulkWrite(
      Peer peer, RouteId route, BodySource source, TransferOptions options) {
    return peer.bulkWrite(elements(route), source, options);
  }

  static Call<BulkReceipt> bulkRead(
      Peer peer, RouteId route, BodyTarget target, TransferOptions options) {
    return peer.bulkRead(elements(route), target, options);
  }

  static Call<BulkReceipt> bulkRead(
      Peer peer, RouteId route, BulkReceiver receiver, TransferOptions options) {
    return peer.bulkRead(elements(route), receiver, options);
  }

  static Sink<ByteString, Call<BulkReceipt>> bulkSink(
      Peer peer, RouteId route, TransferOptions options) {
    return peer.bulkSink(elements(route), options);
  }

  static Source<ByteString, Call<BulkReceipt>> bulkSource(
      Peer peer, RouteId route, TransferOptions options) {
    return peer.bulkSource(elements(route), options);
  }

  static Source<ByteString, Pair<CompletionStage<Headers>, Call<BulkReceipt>>>
      bulkSourceWithHeaders(Peer peer, RouteId route, TransferOptions options) {
    return peer.bulkSourceWithHeaders(elements(route), options);
  }

  static Source<byte[], CompletionStage<byte[]>> streamingResponse(
      Peer peer, UnaryRequest request) {
    return peer.streamingResponseWithHeaders(
            elements(request.route()), request.payload(), request.options())
        .mapMaterializedValue(Raw::encoded);
  }

  private static CompletionStage<byte[]> encoded(CompletionStage<Headers> headers) {
    return headers.thenApply(Headers::encode);
  }

  static Sink<byte[], Call<UnaryResponse>> streamingRequest(
      Peer peer, RouteId route, TransferOptions options) {
    return peer.streamingRequest(single(route), options);
  }

  static Flow<byte[], byte[], CompletionStage<byte[]>> bidirectional(
      Peer peer, RouteId route, TransferOptions options) {
    return peer.bidirectionalWithHeaders(elements(route), options)
        .mapMaterializedValue(Raw::encoded);
  }

  static Registration serve(Transport node, RouteId route, UnaryHandler handler) {
    return serve(node, route, RequestAcceptor.ALL, handler);
  }

  static Registration serve(
      Transport node, RouteId route, RequestAcceptor acceptor, UnaryHandler handler) {
    return node.serving()
        .unary(
            route,
            acceptor,
            ExecutorHandler.Work.of(handler::handle, Function.<UnaryResponse>identity()));
  }

  static Registration serveOnWorker(Transport node, RouteId route, WorkerHandler handler) {
    return node.serveOnWorker(elements(route), handler);
  }

  static Registration serveOnWorker(
      Transport node, RouteId route, RequestAcceptor acceptor, WorkerHandler handler) {
    return node.serveOnWorker(
        elements(route), ServeOptions.DEFAULTS.withAcceptor(acceptor), handler);
  }

  static Registration serveBulkWrites(Transport node, RouteId route, BulkReceiver receiver) {
    return node.serveBulkWrites(elements(route), receiver);
  }

  static Registration serveBulkReads(Transport node, RouteId route, BulkProvider provider) {
    return node.serveBulkReads(elements(route), provider);
  }

  static Registration serveBulkReads(
      Transport node, RouteId route, BulkProvider provider, Protection protection) {
    return node.serveBulkReads(
        elements(route), ServeOptions.DEFAULTS.withProtection(protection), provider);
  }

  static Registration serveStreamingResponse(
      Transport node, RouteId route, ResponseHandler handler) {
    return serveStreamingResponse(node, route, RequestAcceptor.ALL, handler);
  }

  static Registration serveStreamingResponse(
      Transport node, RouteId route, RequestAcceptor acceptor, ResponseHandler handler) {
    return node.serving()
        .streams(
            route,
            StreamPattern.STREAMING_RESPONSE,
            acceptor,
            stream -> respond(stream, handler.handle(oneRequest(stream))));
  }

  static Registration serveStreamingRequest(Transport node, RouteId route, RequestHandler handler) {
    return serveStreamingRequest(node, route, RequestAcceptor.ALL, handler);
  }

  static Registration serveStreamingRequest(
      Transport node, RouteId route, RequestAcceptor acceptor, RequestHandler handler) {
    return node.serving()
        .streams(
            route,
            StreamPattern.STREAMING_REQUEST,
            acceptor,
            stream -> stream.respondOnce(handler.handle(manyRequests(stream))));
  }

  static Registration serveBidirectional(
      Transport node, RouteId route, BidirectionalHandler handler) {
    return serveBidirectional(node, route, RequestAcceptor.ALL, handler);
  }

  static Registration serveBidirectional(
      Transport node, RouteId route, RequestAcceptor acceptor, BidirectionalHandler handler) {
    return node.serving()
        .streams(
            route,
            StreamPattern.BIDIRECTIONAL,
            acceptor,
            stream -> respond(stream, handler.handle(manyRequests(stream))));
  }

  private static void respond(ServedStream stream, StreamingResponse response) {
    stream.respond(response.headers(), response.elements(), Function.identity());
  }

  private static OneRequest oneRequest(ServedStream stream) {
    ServedContext context = stream.context();
    return new OneRequest(
        context.peer(), context.priority(), context.headers().encode(), stream.payload());
  }

  private static ManyRequests manyRequests(ServedStream stream) {
    ServedContext context = stream.context();
    return new ManyRequests(
        context.peer(),
        context.priority(),
        context.headers().encode(),
        stream.requests(Function.identity()));
  }

  static CompletableFuture<SealedPayload> seal(Transport node, BodySource source, byte[] headers) {
    return seal(node, source, headers, Protection.SEALED);
  }

  static CompletableFuture<SealedPayload> seal(
      Transport node, BodySource source, byte[] headers, Protection protection) {
    return node.seal(source, decoded(headers), protection);
  }

  static CompletableFuture<List<SealedPayload>> sealAll(
      Transport node, List<byte[]> payloads, byte[] headers) {
    return sealAll(node, payloads, headers, Protection.SEALED);
  }

  static CompletableFuture<List<SealedPayload>> sealAll(
      Transport node, List<byte[]> payloads, byte[] headers, Protection protection) {
    return node.sealAll(
        payloads.stream().map(ByteString::fromArrayUnsafe).toList(),
        Headers.decode(headers),
        protection);
  }

  static Broadcast broadcast(
      Transport node, RouteId route, SealedPayload payload, List<Destination> destinations) {
    return node.broadcast(elements(route), payload, destinations);
  }

  static Broadcast broadcast(
      Transport node,
      RouteId route,
      BodySource source,
      byte[] headers,
      List<Destination> destinations) {
    return broadcast(node, route, source, headers, Protection.SEALED, destinations);
  }

  static Broadcast broadcast(
      Transport node,
      RouteId route,
      BodySource source,
      byte[] headers,
      Protection protection,
      List<Destination> destinations) {
    return node.broadcast(elements(route), source, decoded(headers), protection, destinations);
  }
}
