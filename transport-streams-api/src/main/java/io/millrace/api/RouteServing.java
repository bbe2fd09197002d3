package io.millrace.api;

import io.millrace.actor.pool.TransportPool;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.function.Supplier;
import org.apache.pekko.stream.Materializer;

/** Mounts handlers on the routes of a node. Any thread. */
final class RouteServing {
  /** Names of {@link StreamPattern}s. */
  private static final List<String> PATTERNS =
      List.of("unary", "streaming response", "streaming request", "bidirectional");

  private final TransportPool pool;
  private final ExecutorLane lane;
  private final Supplier<Materializer> materializer;
  private final Runnable onServing;
  private final HandlerFaults.Node faults;

  RouteServing(
      TransportPool pool,
      ExecutorLane lane,
      Supplier<Materializer> materializer,
      Runnable onServing) {
    this.pool = pool;
    this.lane = lane;
    this.materializer = materializer;
    this.onServing = onServing;
    faults = new HandlerFaults.Node(pool.events());
  }

  /** What handlers threw, all together. */
  long faults() {
    return faults.total();
  }

  Registration unary(RouteId route, RequestAcceptor acceptor, ExecutorHandler.Work work) {
    ExecutorHandler onExecutor =
        new ExecutorHandler(AcceptorScreen.of(acceptor), work, lane, faults.of(route, "unary"));
    return served(route, pool.routes().add(route, onExecutor));
  }

  Registration onWorker(RouteId route, RequestAcceptor acceptor, WorkerHandler handler) {
    WorkerRoute onWorker =
        new WorkerRoute(AcceptorScreen.of(acceptor), handler, faults.of(route, "unary"));
    return served(route, pool.routes().add(route, onWorker));
  }

  Registration bulkWrites(RouteId route, BulkReceiver receiver) {
    ServedAcceptor acceptor = new ServedAcceptor(receiver, faults.of(route, "bulk write"));
    return served(route, pool.routes().add(route, acceptor));
  }

  Registration bulkReads(RouteId route, BulkProvider provider, Protection protection) {
    ProviderHandler onExecutor =
        new ProviderHandler(provider, protection, lane, faults.of(route, "bulk read"));
    return served(route, pool.routes().add(route, call -> call.defer().handOver(onExecutor)));
  }

  /**
   * Serves streams.
   *
   * @param pattern one of {@link StreamPattern}
   */
  Registration streams(
      RouteId route, int pattern, RequestAcceptor acceptor, ServedStream.Handler handler) {
    ServedStreams streams =
        new ServedStreams(
            pattern,
            AcceptorScreen.of(acceptor),
            handler,
            lane,
            materializer.get(),
            faults.of(route, PATTERNS.get(pattern)));
    return served(route, pool.routes().add(route, pattern, streams));
  }

  private Registration served(RouteId route, Runnable removal) {
    onServing.run();
    return new Registration(route, removal);
  }
}
