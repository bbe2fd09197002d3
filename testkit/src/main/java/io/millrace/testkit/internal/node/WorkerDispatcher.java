package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/** The configurator of the dispatchers of workers in simulated nodes. */
public final class WorkerDispatcher extends ExecutorServiceConfigurator {
  private final LifeLoops loops;
  private final Config block;

  /** Called by Pekko. */
  public WorkerDispatcher(Config block, DispatcherPrerequisites prerequisites) {
    super(block, prerequisites);
    loops = SimScheduler.loops(prerequisites);
    this.block = block;
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    return () -> new WorkerService(loops, loops.worker(block));
  }
}
