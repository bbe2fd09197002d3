package io.millrace.api.blocking;

import io.millrace.api.Peer;
import io.millrace.api.Response;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Source;

/**
 * Another node, for code that waits: each method returns its answer or throws. For platform threads
 * and virtual threads; no method pins a virtual thread. Safe on any thread that may wait.
 *
 * <p>Every failure is a {@link io.millrace.api.CallException}, thrown as it is, without a wrapper.
 * A wait ends with the answer, with the failure of the transfer, with the deadline of the options
 * ({@code EXPIRED}), with the end of the transport ({@code CLOSED}), or with an interrupt of the
 * waiting thread. The interrupt cancels the transfer at both sides and the method throws with
 * {@code CANCELLED}; the thread is still interrupted then, so {@link Thread#interrupted} tells this
 * end from the others. Without a deadline a wait lasts as long as the peer lives and has not
 * answered.
 *
 * <p>A thread that drives a worker may not wait: there the methods throw {@link
 * IllegalStateException}. With the idle strategy {@code CALLER_RUNS} another thread must drive the
 * loops meanwhile.
 */
public final class BlockingPeer {
  private final Transport transport;
  private final Peer peer;

  private BlockingPeer(Transport transport, Peer peer) {
    this.transport = transport;
    this.peer = peer;
  }

  /**
   * Returns the peer at this handshake address; see {@link Transport#peer}.
   *
   * @throws IllegalStateException if the node is simulated: its only thread must never wait
   */
  public static BlockingPeer of(Transport transport, String handshakeAddress) {
    Waits.requireThreads(transport);
    return new BlockingPeer(transport, transport.peer(handshakeAddress));
  }

  /**
   * Returns the same peer, for code that waits.
   *
   * @param transport the transport of the peer
   * @throws IllegalStateException if the node is simulated: its only thread must never wait
   */
  public static BlockingPeer of(Transport transport, Peer peer) {
    Waits.requireThreads(transport);
    return new BlockingPeer(transport, Objects.requireNonNull(peer, "peer"));
  }

  /** Returns the same peer, for code that does not wait. */
  public Peer peer() {
    return peer;
  }

  /** Shakes hands with the peer unless a path exists already; see {@link Peer#connect}. */
  public void connect() {
    var connected = peer.connect();
    Waits.await(connected, () -> connected.cancel(false));
  }

  /** Calls the peer with one request; see {@link Peer#unary(Route, Object)}. */
  public <Q, R> R call(Route<Q, R> route, Q request) {
    return call(route, request, TransferOptions.DEFAULTS);
  }

  /** Calls the peer with one request and these options. */
  public <Q, R> R call(Route<Q, R> route, Q request, TransferOptions options) {
    var call = peer.unary(route, request, options);
    return Waits.await(call, () -> call.cancel(false));
  }

  /** Calls the peer with one request, and returns the answer with its headers. */
  public <Q, R> Response<R> callWithHeaders(Route<Q, R> route, Q request, TransferOptions options) {
    var call = peer.unary(route, request, options);
    return Waits.await(call.response().toCompletableFuture(), () -> call.cancel(false));
  }

  /**
   * Opens a stream of responses to one request. Does not wait: the first wait of the rows has the
   * failure of a stream that could not begin.
   */
  public <Q, R> Rows<R> scan(Route<Q, R> route, Q request) {
    return scan(route, request, TransferOptions.DEFAULTS);
  }

  /** Opens a stream of responses with these options; see {@link #scan(Route, Object)}. */
  public <Q, R> Rows<R> scan(Route<Q, R> route, Q request, TransferOptions options) {
    return Rows.of(
        peer.streamingResponseWithHeaders(route, request, options), transport.materializer());
  }

  /** Opens a stream of requests with one response. Does not wait. */
  public <Q, R> Upload<Q, R> upload(Route<Q, R> route) {
    return upload(route, TransferOptions.DEFAULTS);
  }

  /** Opens a stream of requests with these options; see {@link #upload(Route)}. */
  public <Q, R> Upload<Q, R> upload(Route<Q, R> route, TransferOptions options) {
    return Waits.open(
        () -> {
          var opened =
              Source.fromGraph(new RowSource<Q>())
                  .toMat(peer.streamingRequest(route, options), Keep.both())
                  .run(transport.materializer());
          return new Upload<>(opened.first(), opened.second());
        });
  }

  /** Opens a stream of requests and a stream of responses. Does not wait. */
  public <Q, R> Conversation<Q, R> converse(Route<Q, R> route) {
    return converse(route, TransferOptions.DEFAULTS);
  }

  /** Opens streams in both directions with these options; see {@link #converse(Route)}. */
  public <Q, R> Conversation<Q, R> converse(Route<Q, R> route, TransferOptions options) {
    return Waits.open(
        () -> {
          var opened =
              Source.fromGraph(new RowSource<Q>())
                  .viaMat(peer.bidirectionalWithHeaders(route, options), Keep.both())
                  .toMat(new RowSink<>(), Keep.both())
                  .run(transport.materializer());
          return new Conversation<>(
              opened.first().first(), new Rows<>(opened.second(), opened.first().second()));
        });
  }

  /**
   * Reads the source that the peer chooses for this route into a file; see {@link BulkTarget#file}.
   *
   * @throws IOException if the file cannot be written here
   */
  public BulkReceipt bulkRead(Route<?, ?> route, Path file) throws IOException {
    return bulkRead(route, BulkTarget.file(file), TransferOptions.DEFAULTS);
  }

  /** Reads the peer's source into a target; see {@link Peer#bulkRead(Route, BodyTarget)}. */
  public BulkReceipt bulkRead(Route<?, ?> route, BodyTarget target, TransferOptions options) {
    var call = peer.bulkRead(route, target, options);
    return Waits.await(call, () -> call.cancel(false));
  }

  /**
   * Writes a file to the target that the peer chooses for this route; see {@link BulkSource#file}.
   *
   * @throws IOException if the file cannot be read here
   */
  public BulkReceipt bulkWrite(Route<?, ?> route, Path file, TransferOptions options)
      throws IOException {
    return bulkWrite(route, BulkSource.file(file), options);
  }

  /** Writes a source to the peer's target; see {@link Peer#bulkWrite(Route, BodySource)}. */
  public BulkReceipt bulkWrite(Route<?, ?> route, BodySource source, TransferOptions options) {
    var call = peer.bulkWrite(route, source, options);
    return Waits.await(call, () -> call.cancel(false));
  }

  @Override
  public String toString() {
    return "Blocking" + peer;
  }
}
