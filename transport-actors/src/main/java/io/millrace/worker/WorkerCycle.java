package io.millrace.worker;

import io.millrace.ends.SubmissionRings;
import io.millrace.loop.DutyCycle;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.WorkerTurn;
import io.millrace.path.peer.WorkerServices;
import org.jspecify.annotations.Nullable;

/**
 * The duty cycle of a worker's loop: poll the network, turn the paths, flush; and between turns,
 * tell the next deadline. On the worker's thread; does not allocate.
 */
public final class WorkerCycle implements DutyCycle {
  private final WorkerServices services;
  private final WorkerEndpoints endpoints;
  private final NicWatch nics;
  private final RestWatch rest;
  private final WorkerTurn turn;
  private final int receiveLimit;
  private final Runnable onClosed;

  /** A cycle over the worker's services; {@code onClosed} runs when the cycle leaves its loop. */
  public WorkerCycle(
      WorkerServices services,
      WorkerEndpoints endpoints,
      SubmissionRings rings,
      NicWatch nics,
      Runnable onClosed) {
    this.services = services;
    this.endpoints = endpoints;
    this.nics = nics;
    this.rest = new RestWatch(endpoints, services.context().bodies().buffers());
    this.turn = new WorkerTurn(services, rings, this::onCycleFailed);
    this.receiveLimit = services.context().settings().workers().receiveLimit();
    this.onClosed = onClosed;
  }

  @Override
  public int doWork(long nowNs) {
    turn.begin(nowNs);
    int work = endpoints.poll(turn, receiveLimit, nowNs);
    nics.onTurn(nowNs);
    work += turn.run();
    if (turn.isTouched() || work > 0 || nowNs >= endpoints.nextFlushNs()) {
      // A flush is work: the next turn finds the freed buffers and the completions.
      work += endpoints.flush(nowNs) ? 1 : 0;
    } else {
      rest.onIdleTurn(nowNs);
    }
    return work;
  }

  @Override
  public boolean hasWork() {
    return turn.hasWork();
  }

  @Override
  public long nextDeadlineNs() {
    long networkNs = Math.min(endpoints.nextPollNs(), endpoints.nextFlushNs());
    return Math.min(Math.min(turn.nextDeadlineNs(), networkNs), rest.nextDeadlineNs());
  }

  @Override
  public int @Nullable [] arrivalDescriptors() {
    return endpoints.arrivalDescriptors();
  }

  @Override
  public void onClose() {
    nics.close();
    onClosed.run();
  }

  @Override
  public void onCycleFailed(Throwable cause) {
    services.events().onWorkerFault(services.worker(), cause);
  }
}
