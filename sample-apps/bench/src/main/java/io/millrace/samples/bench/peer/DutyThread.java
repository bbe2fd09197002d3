package io.millrace.samples.bench.peer;

import java.util.concurrent.TimeUnit;

/**
 * The only thread of a side: opens the node, spins while the gate is open, and otherwise turns now
 * and then, so that neither end takes the other end for dead.
 */
public final class DutyThread implements AutoCloseable {
  private static final long SLEEP_MS = 250;
  private static final long CLOSE_MS = 3000;
  private static final long CONNECT_SLEEP_MS = 1;

  private final Thread thread;
  private volatile boolean closed;

  /** The work of a side on the thread. */
  public interface Duty {
    /** Runs a turn while the gate is open. */
    void turn();

    /** Runs a turn while asleep. */
    void slowTurn();

    /** Whether the other side was found. */
    boolean isConnected();

    /** The thread is about to end. */
    void onEnd();
  }

  /** A thread with a name that runs {@code duty} once started. */
  public DutyThread(String name, Duty duty, SpinGate gate) {
    thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> run(duty, gate));
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Duty duty, SpinGate gate) {
    try {
      while (!closed) {
        if (gate.isOpen()) {
          duty.turn();
        } else {
          duty.slowTurn();
          gate.awaitOpen(duty.isConnected() ? SLEEP_MS : CONNECT_SLEEP_MS, TimeUnit.MILLISECONDS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      duty.onEnd();
    }
  }
}
