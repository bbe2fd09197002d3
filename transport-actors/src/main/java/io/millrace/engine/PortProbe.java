package io.millrace.engine;

import io.millrace.driver.EndpointCounters;
import io.millrace.event.Gauge;
import io.millrace.event.NicTraffic;
import io.millrace.event.PathProbe;
import io.millrace.event.StageLatencies;
import io.millrace.event.WorkerCounts;
import io.millrace.event.WorkerProbe;
import io.millrace.nic.EndpointDescription;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.path.region.WorkerRegions;
import io.millrace.worker.WorkerDescription;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The present counts of a worker.
 *
 * @param port of the worker
 * @param workers all of the node that have started, in the order of their ids
 */
record PortProbe(SubmissionPort port, List<WorkerDescription> workers) implements WorkerProbe {
  @Override
  public int worker() {
    return port.worker();
  }

  @Override
  public WorkerCounts counts() {
    return port.counters();
  }

  @Override
  public StageLatencies latencies() {
    return port.counters().latencies();
  }

  @Override
  public long gauge(Gauge gauge) {
    WorkerRegions regions = port.regions();
    return switch (gauge) {
      case SUBMISSIONS_WAITING -> port.rings().waitingBytes();
      case OPEN_TRANSFERS -> sumOfPaths(PathProbe.PathState::openTransfers);
      case SERVED_TRANSFERS -> sumOfPaths(PathProbe.PathState::servedTransfers);
      case CAUSALITY_SLOTS -> port.causality().live();
      case PATHS -> port.counters().paths().size();
      case LOAD_BYTES -> port.counters().loadBytes();
      case IN_FLIGHT_BYTES -> sumOfPaths(PathProbe.PathState::bytesInFlight);
      case WINDOW_BYTES -> sumOfPaths(PathProbe.PathState::windowBytes);
      case PACING_RATE -> sumOfPaths(PathProbe.PathState::pacingBytesPerSecond);
      case LONGEST_RTT -> longestRttNs();
      case GRANTED_BYTES -> regions == null ? 0 : regions.grantedBytes();
      case OUTSTANDING_BYTES -> regions == null ? 0 : regions.outstandingBytes();
    };
  }

  private long longestRttNs() {
    return port.counters().paths().values().stream()
        .mapToLong(path -> path.state().smoothedRttNs())
        .max()
        .orElse(0);
  }

  private long sumOfPaths(ToLongFunction<PathProbe.PathState> figure) {
    return port.counters().paths().values().stream()
        .mapToLong(path -> figure.applyAsLong(path.state()))
        .sum();
  }

  @Override
  public List<PathProbe> paths(int most) {
    return port.counters().paths().values().stream().limit(most).toList();
  }

  @Override
  public List<NicTraffic> nics() {
    if (workers.size() <= worker()) {
      return List.of(); // the worker has not started
    }
    return workers.get(worker()).endpoints().stream().map(PortProbe::traffic).toList();
  }

  private static NicTraffic traffic(EndpointDescription endpoint) {
    EndpointCounters counters = endpoint.counters();
    return new NicTraffic(
        endpoint.nicName(),
        endpoint.driver(),
        counters.bytesSent,
        counters.bytesReceived,
        counters.datagramsSent,
        counters.datagramsReceived,
        counters.sendFailures + counters.receiveQueueDrops);
  }
}
