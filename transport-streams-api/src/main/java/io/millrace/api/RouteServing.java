package io.millrace.api;

import io.millrace.access.admission.Caller;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.body.RequestScreen;
import io.millrace.ends.ExecutorLane;
import io.millrace.engine.TransportPool;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;

/** Mounts handlers on the routes of a node. Any thread. */
final class RouteServing {
  private final TransportPool pool;
  private final ExecutorLane lane;
  private final NodeExecutors.Streams streams;
  private final Runnable onServing;
  private final Spans spans;
  private final HandlerFaults.Node faults;

  RouteServing(
      TransportPool pool,
      ExecutorLane lane,
      NodeExecutors.Streams streams,
      Runnable onServing,
      Spans spans) {
    this.spans = spans;
    this.pool = pool;
    this.lane = lane;
    this.streams = streams;
    this.onServing = onServing;
    faults = new HandlerFaults.Node(pool.events());
  }

  /** The number of faults of all handlers. */
  long faults() {
    return faults.total();
  }

  Registration unary(RouteId route, RequestAcceptor acceptor, ExecutorHandler.Work work) {
    HandlerFaults own = faults.of(route, Spans.UNARY);
    ExecutorHandler onExecutor =
        new ExecutorHandler(AcceptorScreen.of(acceptor, own), spans.unary(route, work), lane, own);
    return served(route, pool.routes().add(route, onExecutor));
  }

  Registration onWorker(RouteId route, RequestAcceptor acceptor, WorkerHandler handler) {
    HandlerFaults own = faults.of(route, Spans.UNARY);
    WorkerRoute onWorker =
        new WorkerRoute(AcceptorScreen.of(acceptor, own), spans.onWorker(route, handler), own);
    return served(route, pool.routes().add(route, onWorker));
  }

  Registration bulkWrites(RouteId route, BulkReceiver receiver) {
    ReceiverAcceptor.Served acceptor =
        new ReceiverAcceptor.Served(
            spans.writes(route, receiver), faults.of(route, Spans.BULK_WRITE));
    return served(route, pool.routes().add(route, acceptor));
  }

  Registration bulkReads(RouteId route, BulkProvider provider, Protection protection) {
    ProviderHandler onExecutor =
        new ProviderHandler(
            spans.reads(route, provider), protection, lane, faults.of(route, Spans.BULK_READ));
    return served(route, pool.routes().add(route, onExecutor));
  }

  /**
   * Serves the streams of a route.
   *
   * @param pattern one of {@link StreamPattern}
   */
  Registration streams(
      RouteId route, int pattern, RequestAcceptor acceptor, ServedStream.Handler handler) {
    String name = Spans.patternOf(pattern);
    HandlerFaults own = faults.of(route, name);
    var _ = streams.materializer(); // starts here, because the acceptor must not wait
    ServedStream.Acceptor served =
        new ServedStream.Acceptor(
            pattern,
            AcceptorScreen.of(acceptor, own),
            spans.streams(route, name, handler),
            lane,
            streams,
            own);
    return served(route, pool.routes().add(route, pattern, served));
  }

  private Registration served(RouteId route, Runnable removal) {
    onServing.run();
    return new Registration(route, removal);
  }

  /**
   * Asks an application's acceptor about each request.
   *
   * @param acceptor accepts or refuses a request
   * @param faults counts the acceptor's errors; exceptions of the acceptor are answers
   */
  private record AcceptorScreen(RequestAcceptor acceptor, HandlerFaults faults)
      implements RequestScreen {
    /** Returns a screen that asks this acceptor, or no screen for an acceptor of all requests. */
    static RequestScreen of(RequestAcceptor acceptor, HandlerFaults faults) {
      return acceptor == RequestAcceptor.ALL ? NONE : new AcceptorScreen(acceptor, faults);
    }

    @Override
    public void screen(Caller caller, int priority, byte[] headers, long payloadBytes)
        throws Exception {
      try {
        acceptor.accept(
            new RequestOffer(
                caller.peer(), caller.identity(), priority, Headers.decode(headers), payloadBytes));
      } catch (Error e) {
        faults.onFailure(caller.peer(), e);
        throw e;
      }
    }
  }
}
