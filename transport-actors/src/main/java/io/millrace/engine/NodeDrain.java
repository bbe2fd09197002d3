package io.millrace.engine;

import io.millrace.actor.WorkerCommand;
import io.millrace.node.DrainReport;
import io.millrace.node.TransportException;
import io.millrace.path.peer.WorkerRemains;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * Brings a node's transfers to their end. First peers begin nothing any more, while their running
 * transfers may still make calls of their own; when no peer has anything open, this node begins
 * nothing any more either. Looks at all workers again and again until nothing is left. Control
 * plane; any thread.
 */
final class NodeDrain {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private final ActorSystem<?> system;
  private final List<WorkerRef> workers;
  private final List<Waiter> waiting = new ArrayList<>();

  /** Callers whose time was over before anything had been counted. */
  private final List<Waiter> late = new ArrayList<>();

  private @Nullable DrainReport latest;
  private boolean isLast;
  private boolean isLooking;
  private boolean isClosed;

  /** A caller that waits; equal to no other waiter. */
  private static final class Waiter {
    private final CompletableFuture<DrainReport> ended = new CompletableFuture<>();

    private void complete(DrainReport report) {
      ended.complete(report);
    }

    private void fail() {
      ended.completeExceptionally(
          new TransportException("the transport was closed before anything was counted", null));
    }
  }

  NodeDrain(ActorSystem<?> system, List<WorkerRef> workers) {
    this.system = system;
    this.workers = workers;
  }

  /** Begins, or goes on; the future completes when nothing is left, or after this time. */
  CompletableFuture<DrainReport> begin(Duration limit) {
    Waiter waiter = new Waiter();
    if (!add(waiter)) {
      waiter.fail();
      return waiter.ended;
    }
    var timer =
        system.scheduler().scheduleOnce(limit, () -> onTimeOver(waiter), system.executionContext());
    var _ = waiter.ended.whenComplete((report, failure) -> timer.cancel());
    return waiter.ended;
  }

  private boolean add(Waiter waiter) {
    boolean isFirst;
    synchronized (this) {
      if (isClosed) {
        return false;
      }
      waiting.add(waiter);
      isFirst = !isLooking;
      isLooking = true;
    }
    if (isFirst) {
      look();
    }
    return true;
  }

  private void look() {
    List<CompletableFuture<WorkerRemains>> answers = new ArrayList<>();
    boolean isLastNow = isLast();
    for (WorkerRef worker : workers) {
      // A worker that has ended has nothing left.
      answers.add(
          worker
              .<WorkerRemains>ask(answer -> new WorkerCommand.Drain(isLastNow, answer))
              .exceptionally(ended -> WorkerRemains.NONE));
    }
    var _ =
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
            .thenRunAsync(() -> onCounted(answers, isLastNow), system.executionContext());
  }

  private synchronized boolean isLast() {
    return isLast;
  }

  private void onCounted(List<CompletableFuture<WorkerRemains>> answers, boolean wasLast) {
    WorkerRemains left =
        answers.stream()
            .map(CompletableFuture::resultNow)
            .reduce(WorkerRemains.NONE, WorkerRemains::plus);
    DrainReport report = new DrainReport(left.served(), left.undecidedPeers(), left.calls());
    boolean isNext = left.isInboundOver() && !wasLast;
    List<Waiter> ended = new ArrayList<>();
    if (note(report, isNext, report.isComplete() && wasLast, ended)) {
      if (isNext) {
        look();
      } else {
        system.scheduler().scheduleOnce(LOOK_AGAIN, this::look, system.executionContext());
      }
    }
    ended.forEach(each -> each.complete(report));
  }

  /**
   * Notes which callers no longer wait, and returns whether to look again: while a caller waits.
   */
  private synchronized boolean note(
      DrainReport report, boolean isNext, boolean isOver, List<Waiter> ended) {
    latest = report;
    isLast |= isNext;
    ended.addAll(late);
    late.clear();
    if (isOver || isClosed) {
      ended.addAll(waiting);
      waiting.clear();
    }
    isLooking = !waiting.isEmpty();
    return isLooking;
  }

  private void onTimeOver(Waiter waiter) {
    DrainReport report;
    synchronized (this) {
      report = latest;
      if (waiting.remove(waiter) && report == null) {
        late.add(waiter);
      }
    }
    if (report != null) {
      waiter.complete(report);
    }
  }

  /** The node closes: each waiting caller is told the remains at the last count. */
  void onClosing() {
    synchronized (this) {
      isClosed = true;
    }
    endAll();
  }

  /** The workers have ended: nothing is counted any more. */
  void onClosed() {
    endAll();
    List<Waiter> uncounted;
    synchronized (this) {
      uncounted = new ArrayList<>(waiting);
      uncounted.addAll(late);
      waiting.clear();
      late.clear();
    }
    uncounted.forEach(Waiter::fail);
  }

  private void endAll() {
    DrainReport report;
    List<Waiter> all;
    synchronized (this) {
      report = latest;
      if (report == null) {
        return;
      }
      all = List.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(waiter -> waiter.complete(report));
  }
}
