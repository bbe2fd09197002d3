package io.millrace.loop;

import com.typesafe.config.Config;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.SystemNanoClock;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes a Pekko dispatcher a worker's dispatcher: {@code executor =
 * "io.millrace.loop.WorkerExecutor"} in its block, whose other keys {@code reference.conf} explains
 * under {@code millrace.worker-dispatcher}.
 *
 * <p>Pekko makes the executor when the dispatcher gets its first actor, and shuts the executor down
 * after {@code shutdown-timeout} without an actor. A later actor gets a new loop and, unless the
 * application drives the loop, a new thread.
 */
public final class WorkerExecutor extends ExecutorServiceConfigurator {
  private final LoopSettings settings;
  private final String systemName;
  private final AtomicReference<@Nullable DrivenLoop> caller = new AtomicReference<>();

  /**
   * Called by Pekko.
   *
   * @throws com.typesafe.config.ConfigException naming the missing or wrong key
   */
  public WorkerExecutor(Config block, DispatcherPrerequisites prerequisites) {
    super(block, prerequisites);
    this.settings = LoopSettings.of(block);
    this.systemName = prerequisites.settings().name();
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    return () -> executor(systemName + "-" + id, threads);
  }

  private ExecutorService executor(String name, ThreadFactory threads) {
    return switch (settings.idle()) {
      case BUSY_SPIN -> {
        LoopBody loop = body(name, LoopWaker.NONE, threads);
        yield started(loop, IdleStrategy.BUSY_SPIN, threads);
      }
      case BACKOFF -> {
        Parker parker = new Parker();
        LoopBody loop = body(name, parker, threads);
        IdleStrategy idle = new BackoffIdle(settings.backoff(), parker, loop);
        yield started(loop, idle, threads);
      }
      case CALLER_RUNS -> driven(body(name, LoopWaker.NONE, threads));
    };
  }

  private LoopBody body(String name, LoopWaker waker, ThreadFactory threads) {
    return new LoopBody(
        name, settings.limits(), SystemNanoClock.INSTANCE, waker, failureHandler(threads));
  }

  private ExecutorService started(LoopBody loop, IdleStrategy idle, ThreadFactory threads) {
    LoopThread thread = new LoopThread(loop, idle, settings.core());
    if (threads instanceof MonitorableThreadFactory pekko
        && pekko.contextClassLoader().isDefined()) {
      thread.setContextClassLoader(pekko.contextClassLoader().get());
    }
    thread.setUncaughtExceptionHandler(failureHandler(threads));
    thread.start();
    return new LoopExecutor(loop, null);
  }

  /** The handle stays the same for the dispatcher's whole life, its loop need not. */
  private ExecutorService driven(LoopBody loop) {
    DrivenLoop fresh = new DrivenLoop(loop);
    DrivenLoop handle = caller.compareAndExchange(null, fresh);
    if (handle == null) {
      return new LoopExecutor(loop, fresh);
    }
    handle.attach(loop);
    return new LoopExecutor(loop, handle);
  }

  /** The system's own handler, which logs, and ends the process if so configured. */
  private static Thread.UncaughtExceptionHandler failureHandler(ThreadFactory threads) {
    if (threads instanceof MonitorableThreadFactory pekko) {
      return pekko.exceptionHandler();
    }
    return (thread, failure) -> {
      Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
      if (handler == null) {
        thread.getThreadGroup().uncaughtException(thread, failure);
      } else {
        handler.uncaughtException(thread, failure);
      }
    };
  }
}
