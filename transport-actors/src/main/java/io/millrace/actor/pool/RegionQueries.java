package io.millrace.actor.pool;

import io.millrace.actor.worker.RegionPoolCensus;
import io.millrace.actor.worker.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;

/**
 * Asks the owners of all workers' regions what they hold. Nobody who asks waits for ever: what was
 * asked of a worker that ended fails when the node has closed. Control plane; any thread.
 */
final class RegionQueries {
  private final ActorSystem<?> system;
  private final List<ActorRef<WorkerCommand>> workers;
  private final Queue<CompletableFuture<?>> open = new ConcurrentLinkedQueue<>();
  private volatile boolean isClosing;
  private volatile boolean isClosed;

  RegionQueries(ActorSystem<?> system, List<ActorRef<WorkerCommand>> workers) {
    this.system = system;
    this.workers = workers;
  }

  /** One for each worker, in their order; completes on a thread of the actor system. */
  CompletableFuture<List<RegionPoolCensus>> ask() {
    CompletableFuture<List<RegionPoolCensus>> all = new CompletableFuture<>();
    open.removeIf(CompletableFuture::isDone);
    open.add(all);
    if (isClosing) {
      fail(all);
      return all;
    }
    List<CompletableFuture<RegionPoolCensus>> answers = new ArrayList<>();
    for (ActorRef<WorkerCommand> worker : workers) {
      CompletableFuture<RegionPoolCensus> answer = new CompletableFuture<>();
      answers.add(answer);
      worker.tell(new WorkerCommand.TakeRegionCensus(answer));
    }
    var _ =
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
            .thenRunAsync(
                () -> all.complete(answers.stream().map(CompletableFuture::resultNow).toList()),
                system.executionContext());
    if (isClosed) {
      fail(all);
    }
    return all;
  }

  /** No worker is asked any more. */
  void onClosing() {
    isClosing = true;
  }

  /** The workers have ended: nobody answers. */
  void onClosed() {
    isClosed = true;
    open.forEach(RegionQueries::fail);
  }

  private static void fail(CompletableFuture<?> asked) {
    asked.completeExceptionally(new TransportException("the transport was closed", null));
  }
}
