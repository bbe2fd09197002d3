package io.millrace.worker;

import io.millrace.driver.CompletionHandler;
import io.millrace.ends.SubmissionRings;
import io.millrace.loop.DutyCycle;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.WorkerServices;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Shaper;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a worker: poll the network and handle what came, take submissions, advance the timing
 * wheel, transmit by priority as far as the shaper allows, let the paths that were touched
 * acknowledge, flush. What the handling of one peer throws is kept to that peer. On the worker's
 * thread; does not allocate.
 */
public final class WorkerCycle implements DutyCycle, CompletionHandler {
  /** Paths that found no buffer before the turn ends, where others may have another NIC's. */
  private static final int MOST_STALLED = 8;

  private final WorkerServices services;
  private final SubmissionRings rings;
  private final WorkerEndpoints endpoints;
  private final NicWatch nics;
  private final RestWatch rest;
  private final TimingWheel wheel;
  private final TimingWheel paced;
  private final Shaper shaper;
  private final PriorityScheduler<WorkerContext.Sender> scheduler;
  private final int receiveLimit;
  private final int submissionLimit;
  private final Runnable onClosed;
  private final Consumer<Throwable> onFault = this::onCycleFailed;

  /** Of this turn, with the level of each. */
  private final ArrayList<Schedulable<WorkerContext.Sender>> stalled = new ArrayList<>();

  private final IntArrayList stalledLevels = new IntArrayList();
  private long nowNs;

  /** A cycle over the worker's services; {@code onClosed} runs when it leaves its loop. */
  public WorkerCycle(
      WorkerServices services, SubmissionRings rings, NicWatch nics, Runnable onClosed) {
    this.services = services;
    this.rings = rings;
    this.endpoints = services.endpoints();
    this.nics = nics;
    this.rest = new RestWatch(endpoints, services.context().bodies().buffers());
    this.wheel = services.context().time().wheel();
    this.paced = services.context().time().paced();
    this.shaper = services.context().shaper();
    this.scheduler = services.context().scheduler();
    this.receiveLimit = services.context().settings().workers().receiveLimit();
    this.submissionLimit = services.context().settings().workers().submissionLimit();
    this.onClosed = onClosed;
  }

  @Override
  public int doWork(long nowNs) {
    this.nowNs = nowNs;
    int work = endpoints.poll(this, receiveLimit, nowNs);
    nics.onTurn(nowNs);
    work += services.paths().unknown().post(nowNs);
    work += rings.drain(submissionLimit, nowNs, onFault);
    work += services.advanceTimers(nowNs);
    services.regions().onTurn(nowNs);
    services.writes().onTurn(nowNs);
    services.context().touched().makeRoom();
    services.packets().controls().reserve();
    work += paced.advance(nowNs);
    work += transmit();
    resume();
    work += services.packets().farewells().post(nowNs);
    boolean isTouched = services.context().touched().endTurn(nowNs);
    if (isTouched || work > 0 || nowNs >= endpoints.nextFlushNs()) {
      // Work of its own: the next turn finds the buffers that it freed, and what it was told.
      work += endpoints.flush(nowNs) ? 1 : 0;
    } else {
      rest.onIdleTurn(nowNs);
    }
    return work;
  }

  @Override
  public boolean hasWork() {
    return !rings.isEmpty()
        || (scheduler.waitingLevels() != 0 && !shaper.isWaiting())
        || !services.context().touched().isEmpty()
        || services.packets().farewells().hasWaiting();
  }

  @Override
  public long nextDeadlineNs() {
    long sendNs = Math.min(shaper.nextDeadlineNs(), paced.nextDeadlineNs());
    long farewellNs = services.packets().farewells().nextDeadlineNs();
    long carrierNs = services.writes().nextDeadlineNs();
    long wheelNs = Math.min(wheel.nextDeadlineNs(), endpoints.nextPollNs());
    wheelNs = Math.min(wheelNs, rest.nextDeadlineNs());
    long trainNs = Math.min(sendNs, endpoints.nextFlushNs());
    return Math.min(Math.min(wheelNs, trainNs), Math.min(farewellNs, carrierNs));
  }

  @Override
  public int @Nullable [] arrivalDescriptors() {
    return endpoints.arrivalDescriptors();
  }

  @Override
  public void onClose() {
    onClosed.run();
  }

  @Override
  public void onCycleFailed(Throwable cause) {
    services.events().onWorkerFault(services.worker(), cause);
  }

  @Override
  public void onReceive(UnsafeBuffer buffer, int offset, int length, int ecn) {
    PeerPath path = services.paths().pathOf(buffer, offset, length, nowNs);
    if (path != null) {
      path.packets().onDatagram(buffer, offset, length, ecn, nowNs);
    }
  }

  @Override
  public void onWriteComplete(long context, int status) {
    services.writes().onWriteComplete(context, status, nowNs);
  }

  @Override
  public void onUnreachable(int destination) {
    PeerPath path = services.paths().ofDestination(endpoints.destinationOf(destination));
    if (path != null) {
      path.packets().onUnreachable(nowNs);
    }
  }

  @Override
  public void onRefused(int destination, UnsafeBuffer quoted, int offset, int length) {
    PeerPath path = services.paths().ofDestination(endpoints.destinationOf(destination));
    if (path != null) {
      path.packets().onRefused(quoted, offset, length, nowNs);
    }
  }

  @Override
  public void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {
    PeerPath path = services.paths().ofDestination(endpoints.destinationOf(destination));
    if (path != null) {
      path.packets().onLocalMtu(maxDatagramBytes);
    }
  }

  private int transmit() {
    int trains = 0;
    Schedulable<WorkerContext.Sender> next = pollShaped();
    while (next != null) {
      int level = scheduler.polledLevel();
      if (next.owner().transmit(level, nowNs)) {
        trains++;
      } else if (next.owner().isStalled()) {
        stalled.add(next);
        stalledLevels.addInt(level);
        if (endpoints.size() == 1 || stalled.size() == MOST_STALLED) {
          break;
        }
      }
      next = pollShaped();
    }
    return trains;
  }

  /** Paths of an endpoint without a free buffer are due again; those of others went on. */
  private void resume() {
    for (int i = 0; i < stalled.size(); i++) {
      scheduler.activate(stalled.get(i), stalledLevels.getInt(i));
    }
    stalled.clear();
    stalledLevels.clear();
  }

  private @Nullable Schedulable<WorkerContext.Sender> pollShaped() {
    if (scheduler.waitingLevels() != 0 && !shaper.mayStart(nowNs)) {
      return null;
    }
    Schedulable<WorkerContext.Sender> next = scheduler.poll();
    if (next == null) {
      shaper.onIdle();
    }
    return next;
  }
}
