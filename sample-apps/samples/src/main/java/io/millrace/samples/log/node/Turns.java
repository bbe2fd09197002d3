package io.millrace.samples.log.node;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the turns of a replica one at a time, in the order of their arrival. A turn runs at once on
 * the thread that brings the turn; if another turn is running, the thread of the running turn goes
 * on with the new turn. So the answer of a peer is handled on the transport's worker, and the end
 * of a force on the journal's thread, and no commit waits for a further thread to wake up. A turn
 * must not block. Turns that take long run on an executor. Any thread.
 */
final class Turns implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

  /** The most turns that a thread runs for other threads before an executor goes on. */
  private static final int MOST_AT_ONCE = 256;

  private record Turn(Runnable step, boolean isLong) {}

  private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();

  /** The turns that have come and not ended; the thread that adds the first turn runs all turns. */
  private final AtomicInteger open = new AtomicInteger();

  private final Executor others;
  private volatile boolean isEnded;

  /**
   * Begins without turns.
   *
   * @param others runs turns that take long, and the turns that come meanwhile
   */
  Turns(Executor others) {
    this.others = others;
  }

  /** Runs a turn, here or on the thread of the running turn. */
  @Override
  public void execute(Runnable step) {
    add(new Turn(step, false));
  }

  /** Runs a turn that may take long or wait for a device, never on the calling thread. */
  void executeLong(Runnable step) {
    add(new Turn(step, true));
  }

  /** Ends the replica with this turn: later turns do nothing. */
  void end(Runnable last) {
    execute(
        () -> {
          last.run();
          isEnded = true;
        });
  }

  private void add(Turn turn) {
    turns.add(turn);
    if (open.getAndIncrement() == 0) {
      run(false);
    }
  }

  /** Hands over after some turns: the thread of a worker or of the journal has other work, too. */
  private void run(boolean mayWait) {
    boolean runsAll = mayWait;
    int ran = 0;
    do {
      Turn next = turns.element();
      if (!runsAll && (next.isLong() || ran == MOST_AT_ONCE)) {
        if (handOver()) {
          return;
        }
        runsAll = true;
      }
      turns.remove();
      if (!isEnded) {
        run(next.step());
      }
      ran++;
    } while (open.decrementAndGet() > 0);
  }

  private boolean handOver() {
    try {
      others.execute(() -> run(true));
      return true;
    } catch (RejectedExecutionException e) {
      // The system ends: the last turns run here.
      return false;
    }
  }

  /**
   * A turn that throws ends no replica: the answer to its caller stays open until the deadline. The
   * next turns run also after an error.
   */
  private static void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("a turn of the replica threw", e);
    }
  }
}
