package io.millrace.handshake;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands of other threads for a handshaker's own thread. A closed queue takes nothing more. Any
 * thread.
 */
public final class CommandQueue {
  private final Queue<Runnable> commands = new ArrayDeque<>();
  private boolean closed;

  /** An open queue. */
  public CommandQueue() {}

  /**
   * Adds a command, and the caller then wakes the handshaker's thread; false for a closed queue.
   */
  public boolean add(Runnable command) {
    synchronized (commands) {
      return !closed && commands.add(command);
    }
  }

  /** Takes all commands out, one after another, including commands that come meanwhile. */
  public void drain(Consumer<Runnable> runner) {
    Runnable command = next();
    while (command != null) {
      runner.accept(command);
      command = next();
    }
  }

  private @Nullable Runnable next() {
    synchronized (commands) {
      return commands.poll();
    }
  }

  /** Takes no more commands; commands in the queue stay. Idempotent. */
  public void close() {
    synchronized (commands) {
      closed = true;
    }
  }

  /** Whether the queue was closed. */
  public boolean isClosed() {
    synchronized (commands) {
      return closed;
    }
  }
}
