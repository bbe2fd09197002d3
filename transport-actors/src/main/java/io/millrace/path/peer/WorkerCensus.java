package io.millrace.path.peer;

import io.millrace.path.call.PathCalls;
import io.millrace.protocol.region.RegionCensus;

/**
 * What one worker has at one moment. Taken on the worker's thread; allocates.
 *
 * @param worker its id
 * @param paths paths that are open
 * @param transfers what is under way on them
 * @param waiting what waits to be done
 * @param regions the memory that peers write into
 */
public record WorkerCensus(
    int worker, int paths, Transfers transfers, Waiting waiting, RegionCensus regions) {
  /**
   * What is under way on the open paths.
   *
   * @param calls calls of this node that have no outcome
   * @param served calls of peers that are executed, or whose answer is kept
   * @param servedBodies of those, calls with a body
   * @param servedStreams streams of peers that are not over
   * @param fills regions of peers that this node writes, or has written and not seen taken out
   * @param tokens tokens of peers' regions
   * @param answerBytes bytes of answers that are kept until they have arrived
   * @param inlineBytes inline bytes of peers that arrived and were not consumed
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
   * What waits.
   *
   * @param submissions submissions that the worker has not taken
   * @param farewells words to peers whose path has ended
   * @param timers timers in the wheel
   */
  public record Waiting(int submissions, int farewells, int timers) {}

  /**
   * What the worker of these services has now; on its thread.
   *
   * @param submissionsWaiting submissions that it has not taken
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
            services.packets().farewells().waiting(),
            services.context().time().wheel().scheduledTimers()),
        services.regions().census());
  }
}
