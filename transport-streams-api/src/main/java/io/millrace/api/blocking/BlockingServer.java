package io.millrace.api.blocking;

import io.millrace.api.CallContext;
import io.millrace.api.Registration;
import io.millrace.api.Route;
import io.millrace.api.ServeOptions;
import io.millrace.api.Transport;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Source;

/**
 * Serves routes by handlers that may block: each request has a virtual thread of its own.
 *
 * <p>A server runs handlers while their requests, with 2,048 bytes more for each request, fit its
 * {@code maxBytes}. Further requests wait without a thread, and begin one peer after the other. The
 * waiting requests count against {@code millrace.limits.request-budget}, of which no peer has more
 * than all peers leave free, and the waiting streams against {@code
 * millrace.limits.concurrent-transfers}: beyond these limits callers wait, or get {@code
 * OVERLOADED}, as with every handler.
 *
 * <p>If the caller gives a request up, is lost, or the transport is closed, a waiting handler never
 * starts, and a running handler's thread is interrupted. {@link Transport#close} does not wait for
 * these handlers; {@link Transport#drain} does. An exception of a handler reaches the caller as
 * {@link io.millrace.api.CallException} with {@code HANDLER_FAILED} and the exception's message.
 *
 * <p>Immutable, safe on any thread.
 */
public final class BlockingServer {
  private final Transport transport;
  private final HandlerGate gate;
  private final ServeOptions options;

  /** Answers a request with a response; may block. */
  @FunctionalInterface
  public interface Handler<Q, R> {
    /**
     * Returns the response, never null.
     *
     * @throws Exception fails the call with {@code HANDLER_FAILED}
     */
    R handle(Q request, CallContext context) throws Exception;
  }

  /** Answers a request with a stream of responses; may block. */
  @FunctionalInterface
  public interface ScanHandler<Q, R> {
    /**
     * Sends the responses; the stream ends with the return of this method. Headers of the answer
     * must be set ahead of the first response.
     *
     * @throws Exception fails the stream with {@code HANDLER_FAILED}
     */
    void handle(Q request, CallContext context, RowWriter<R> responses) throws Exception;
  }

  /** Answers a stream of requests with a response; may block. */
  @FunctionalInterface
  public interface UploadHandler<Q, R> {
    /**
     * Returns the response, never null. The server closes the requests after the return.
     *
     * @throws Exception fails the stream with {@code HANDLER_FAILED}
     */
    R handle(Rows<Q> requests, CallContext context) throws Exception;
  }

  /** Answers a stream of requests with a stream of responses; may block. */
  @FunctionalInterface
  public interface ConversationHandler<Q, R> {
    /**
     * Reads the requests and sends the responses; both streams end with the return of this method.
     * Headers of the answer must be set ahead of the first response.
     *
     * @throws Exception fails the responses with {@code HANDLER_FAILED}
     */
    void handle(Rows<Q> requests, CallContext context, RowWriter<R> responses) throws Exception;
  }

  private BlockingServer(Transport transport, HandlerGate gate, ServeOptions options) {
    this.transport = transport;
    this.gate = gate;
    this.options = options;
  }

  /**
   * Returns a server of this node.
   *
   * @param maxBytes bytes of all requests whose handlers run, over all routes of this server; a
   *     longer request runs alone
   * @throws IllegalArgumentException if {@code maxBytes} is less than one request without bytes
   * @throws IllegalStateException if the node is simulated: a simulation has no further thread
   */
  public static BlockingServer of(Transport transport, long maxBytes) {
    Waits.requireThreads(transport);
    return new BlockingServer(transport, new HandlerGate(maxBytes), ServeOptions.DEFAULTS);
  }

  /**
   * Returns a server with these options for its next routes. Both servers share one {@code
   * maxBytes}.
   */
  public BlockingServer with(ServeOptions changed) {
    return new BlockingServer(transport, gate, Objects.requireNonNull(changed, "changed"));
  }

  /**
   * Answers each request of a route with one response; see {@link Transport#serve}.
   *
   * @throws IllegalArgumentException if the route is served already
   */
  public <Q, R> Registration serve(Route<Q, R> route, Handler<? super Q, ? extends R> handler) {
    Objects.requireNonNull(handler, "handler");
    return transport.serve(
        route, options, (request, context) -> run(context, () -> handler.handle(request, context)));
  }

  /**
   * Answers each request of a route with a stream of responses; see {@link
   * Transport#serveStreamingResponse}.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveScan(Route<Q, R> route, ScanHandler<? super Q, R> handler) {
    Objects.requireNonNull(handler, "handler");
    return transport.serveStreamingResponse(
        route,
        options,
        (request, context) ->
            sent(context, (late, responses) -> handler.handle(request, late, responses)));
  }

  /**
   * Answers each stream of requests of a route with one response; see {@link
   * Transport#serveStreamingRequest}.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveUpload(Route<Q, R> route, UploadHandler<Q, ? extends R> handler) {
    Objects.requireNonNull(handler, "handler");
    return transport.serveStreamingRequest(
        route,
        options,
        (requests, context) ->
            run(
                context,
                () -> {
                  try (Rows<Q> rows = rows(requests, context)) {
                    return handler.handle(rows, context);
                  }
                }));
  }

  /**
   * Answers each stream of requests of a route with a stream of responses; see {@link
   * Transport#serveBidirectional}.
   *
   * @throws IllegalArgumentException if streams of the route are served already
   */
  public <Q, R> Registration serveConversation(
      Route<Q, R> route, ConversationHandler<Q, R> handler) {
    Objects.requireNonNull(handler, "handler");
    return transport.serveBidirectional(
        route,
        options,
        (requests, context) ->
            sent(
                context,
                (late, responses) -> {
                  try (Rows<Q> rows = rows(requests, context)) {
                    handler.handle(rows, late, responses);
                  }
                }));
  }

  private <Q> Rows<Q> rows(Source<Q, NotUsed> requests, CallContext context) {
    return Rows.of(
        requests.mapMaterializedValue(_ -> CompletableFuture.completedStage(context.headers())),
        transport.materializer());
  }

  private <R> CompletionStage<R> run(CallContext context, Answering<? extends R> handler) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    HandlerGate.Entry entry =
        gate.enter(
            context.peer(),
            context.requestBytes(),
            () -> {
              try {
                answer.complete(handler.answer());
              } catch (Exception | Error e) {
                answer.completeExceptionally(e);
              }
            });
    var _ =
        answer.whenComplete(
            (response, failure) -> {
              if (answer.isCancelled()) {
                entry.cancel();
              }
            });
    return answer;
  }

  private <R> Source<R, ?> sent(CallContext context, ServedRows.Body<R> body) {
    ServedRows<R> served = new ServedRows<>(gate, context, body);
    return Source.fromGraph(new RowSource<>(served::start, served::stop));
  }

  /** A handler with its request. */
  @FunctionalInterface
  private interface Answering<R> {
    R answer() throws Exception;
  }

  HandlerGate gate() {
    return gate;
  }
}
