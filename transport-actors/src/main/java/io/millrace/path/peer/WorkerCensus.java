package io.millrace.path.peer;

import io.millrace.path.call.PathCalls;
import io.millrace.protocol.region.RegionCensus;

/**
 * The state of a worker at one moment, in numbers. Taken on the worker's thread; allocates.
 *
 * @param worker the id of the worker
 * @param paths open paths of the worker
 * @param transfers the transfers under way on these paths
 * @param waiting the work waiting to be done
 * @param regions the memory for writes of peers
 */
public record WorkerCensus(
    int worker, int paths, Transfers transfers, Waiting waiting, RegionCensus regions) {
  /**
   * The transfers under way on the open paths.
   *
   * @param calls calls of this node without an outcome
   * @param served calls of peers under execution, or with a kept answer
   * @param servedBodies among these, calls with a body
   * @param servedStreams streams of peers not yet over
   * @param fills regions of peers that this node writes, or has written without word of their
   *     consumption
   * @param tokens tokens of peers' regions
   * @param answerBytes bytes of answers that this node keeps until their arrival
   * @param inlineBytes inline bytes received from peers and not consumed
   */
  public record Transfers(
      int calls,
      int served,
      int servedBodies,
      int servedStreams,
      int fills,
      int tokens,
      long answerBytes,
      long inlineBytes) {}

  /**
   * The waiting work of a worker.
   *
   * @param submissions submissions not yet taken by the worker
   * @param farewells last packets to peers of ended paths
   * @param timers timers in the wheel
   */
  public record Waiting(int submissions, int farewells, int timers) {}

  /**
   * Returns the state of the worker of these services now; on the worker's thread.
   *
   * @param submissionsWaiting submissions not yet taken by the worker
   */
  public static WorkerCensus of(WorkerServices services, int submissionsWaiting) {
    int calls = 0;
    int served = 0;
    int servedBodies = 0;
    int servedStreams = 0;
    int fills = 0;
    int tokens = 0;
    long inlineBytes = 0;
    for (PeerPath path : services.paths().snapshot()) {
      PathCalls transfers = path.calls();
      calls += transfers.calls().openCount();
      served += transfers.served().openCount();
      servedBodies += transfers.bodies().servedCount();
      servedStreams += path.streams().servedCount();
      fills += path.writes().openFills();
      tokens += path.writes().tokens().tokenCount();
      inlineBytes += path.packets().credit().outstandingBytes();
    }
    return new WorkerCensus(
        services.worker(),
        services.paths().size(),
        new Transfers(
            calls,
            served,
            servedBodies,
            servedStreams,
            fills,
            tokens,
            services.calls().answers().keptBytes(),
            inlineBytes),
        new Waiting(
            submissionsWaiting,
            services.packets().closes().waiting(),
            services.context().time().wheel().scheduledTimers()),
        services.regions().census());
  }
}
