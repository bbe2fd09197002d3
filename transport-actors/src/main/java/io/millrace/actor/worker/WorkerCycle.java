package io.millrace.actor.worker;

import io.millrace.actor.dispatcher.DutyCycle;
import io.millrace.actor.packet.WorkerContext;
import io.millrace.actor.peer.PeerPath;
import io.millrace.actor.peer.WorkerServices;
import io.millrace.actor.submission.SubmissionRings;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.Endpoint;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Shaper;
import io.millrace.protocol.schedule.TimingWheel;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a worker: poll the network and handle what came, take submissions, advance the timing
 * wheel, transmit by priority as far as the shaper allows, let the paths that were touched
 * acknowledge, flush. What the handling of one peer throws is kept to that peer. On the worker's
 * thread; does not allocate.
 */
final class WorkerCycle implements DutyCycle, CompletionHandler {
  private final WorkerServices services;
  private final SubmissionRings rings;
  private final Endpoint endpoint;
  private final TimingWheel wheel;
  private final TimingWheel paced;
  private final Shaper shaper;
  private final PriorityScheduler<WorkerContext.Sender> scheduler;
  private final int receiveLimit;
  private final int submissionLimit;
  private final Runnable onClosed;
  private final Consumer<Throwable> onFault = this::onCycleFailed;
  private long nowNs;

  /** A cycle over the worker's services; {@code onClosed} runs when it leaves its loop. */
  WorkerCycle(WorkerServices services, SubmissionRings rings, Runnable onClosed) {
    this.services = services;
    this.rings = rings;
    this.endpoint = services.endpoint();
    this.wheel = services.context().wheel();
    this.paced = services.context().paced();
    this.shaper = services.context().shaper();
    this.scheduler = services.context().scheduler();
    this.receiveLimit = services.context().settings().workers().receiveLimit();
    this.submissionLimit = services.context().settings().workers().submissionLimit();
    this.onClosed = onClosed;
  }

  @Override
  public int doWork(long nowNs) {
    this.nowNs = nowNs;
    int work = endpoint.poll(this, receiveLimit);
    work += rings.drain(submissionLimit, nowNs, onFault);
    work += wheel.advance(nowNs);
    services.regions().onTurn(nowNs);
    services.writes().onTurn(nowNs);
    services.context().touched().makeRoom();
    services.packets().controls().reserve();
    work += paced.advance(nowNs);
    work += transmit();
    work += services.packets().farewells().post(nowNs);
    if (services.context().touched().endTurn(nowNs) || work > 0) {
      endpoint.flush();
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
    return Math.min(Math.min(wheel.nextDeadlineNs(), sendNs), Math.min(farewellNs, carrierNs));
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
    PeerPath path = services.paths().pathOf(buffer, offset, length);
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
    PeerPath path = services.paths().ofDestination(destination);
    if (path != null) {
      path.packets().onUnreachable();
    }
  }

  @Override
  public void onPathMaxDatagramBytes(int destination, int maxDatagramBytes) {
    PeerPath path = services.paths().ofDestination(destination);
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
        scheduler.activate(next, level);
        break;
      }
      next = pollShaped();
    }
    return trains;
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
