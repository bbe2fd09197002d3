package io.millrace.handshake;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What other threads want done on a handshaker's own. Closed, it takes nothing more. Any thread.
 */
public final class CommandQueue {
  private final Queue<Runnable> commands = new ArrayDeque<>();
  private boolean closed;

  /** An open queue. */
  public CommandQueue() {}

  /** Puts a command in, whose thread is then to be woken; false if it is closed. */
  public boolean add(Runnable command) {
    synchronized (commands) {
      return !closed && commands.add(command);
    }
  }

  /** Takes all out, one after another, those that came meanwhile too. */
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

  /** Takes no more commands; those that it has stay. Idempotent. */
  public void close() {
    synchronized (commands) {
      closed = true;
    }
  }

  /** Whether it was closed. */
  public boolean isClosed() {
    synchronized (commands) {
      return closed;
    }
  }
}
