package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import io.millrace.loop.DutyCycle;
import io.millrace.loop.EventLoop;
import io.millrace.loop.LoopBody;
import io.millrace.loop.LoopSettings;

/**
 * A worker's thread as a virtual processor: drives the same loop as a real thread. A turn is due
 * when a task, a submission or a datagram comes, or at the duty cycle's next deadline; turns that
 * would find nothing are left out.
 */
final class WorkerLoop extends SimLoop {
  private static final long FIRST_PAUSE_NS = 1_000;
  private static final long LONGEST_PAUSE_NS = 64_000;

  private final LoopBody body;
  private long pauseNs;
  private long nextTurnNs = NEVER;
  private long failures;

  WorkerLoop(NodeLife life, Host host, int number, Config block) {
    super(life, host, block.getString("id"), number);
    body =
        new LoopBody(
            life.node().name() + "-" + id(),
            LoopSettings.of(block).limits(),
            life.clock()::nowNs,
            this::wake,
            (thread, failure) -> life.onEscaped(id(), failure));
  }

  LoopBody body() {
    return body;
  }

  @Override
  void turn() {
    body.enter();
    try {
      int work = body.runTurn();
      if (body.isClosing()) {
        body.finish();
        nextTurnNs = NEVER;
      } else {
        nextTurnNs = nextTurnNs(work);
      }
    } finally {
      body.exit();
    }
    checkFaults();
  }

  /**
   * Returns the time of the next turn. After a turn with work a loop looks again at once: the
   * network may hold more than one turn takes. A real loop that is stalled (no send buffer is free,
   * say) spins until the stall ends. The simulated loop looks again after a pause that doubles.
   */
  private long nextTurnNs(int work) {
    if (work > 0) {
      pauseNs = 0;
      return nowNs();
    }
    if (body.hasWork()) {
      pauseNs = Math.clamp(2 * pauseNs, FIRST_PAUSE_NS, LONGEST_PAUSE_NS);
      return nowNs() + pauseNs;
    }
    pauseNs = 0;
    long deadlineNs = body.nextDeadlineNs();
    return deadlineNs == DutyCycle.NO_DEADLINE_NS ? NEVER : life().clock().virtualNs(deadlineNs);
  }

  private void checkFaults() {
    long now = body.counters().cycleFailures();
    if (now != failures) {
      failures = now;
      life().simulation().fail("worker fault", id() + ": its duty cycle threw", null);
    }
  }

  @Override
  long nextTurnNs() {
    return nextTurnNs;
  }

  @Override
  int waiting() {
    return 0;
  }

  @Override
  boolean hasUnseenWork() {
    return !body.isClosed() && body.hasWork();
  }

  @Override
  void clear() {
    // The life is over, so no turn runs the waiting work.
    nextTurnNs = NEVER;
  }

  @Override
  boolean mayNest() {
    return false;
  }

  @Override
  public EventLoop eventLoop() {
    return body;
  }
}
