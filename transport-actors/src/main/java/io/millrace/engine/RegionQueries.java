package io.millrace.engine;

import io.millrace.actor.RegionPoolCensus;
import io.millrace.actor.WorkerCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Asks the owners of all workers' regions for the state of their regions. Control plane; any
 * thread.
 */
final class RegionQueries {
  private final List<WorkerRef> workers;
  private final Executor executor;

  /** Answers are told on {@code executor}, and not on the workers' threads. */
  RegionQueries(List<WorkerRef> workers, Executor executor) {
    this.workers = workers;
    this.executor = executor;
  }

  /** A census for each worker, in their order; fails if a worker has ended. */
  CompletableFuture<List<RegionPoolCensus>> ask() {
    List<CompletableFuture<RegionPoolCensus>> answers =
        workers.stream()
            .map(worker -> worker.<RegionPoolCensus>ask(WorkerCommand.TakeRegionCensus::new))
            .toList();
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
        .thenApplyAsync(
            ended -> answers.stream().map(CompletableFuture::resultNow).toList(), executor);
  }
}
