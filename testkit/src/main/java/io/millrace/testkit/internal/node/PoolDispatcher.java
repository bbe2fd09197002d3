package io.millrace.testkit.internal.node;

import com.typesafe.config.Config;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * The configurator of all dispatchers of a simulated actor system, except the dispatchers of
 * workers.
 */
public final class PoolDispatcher extends ExecutorServiceConfigurator {
  private final LifeLoops loops;
  private final String id;

  /** Called by Pekko. */
  public PoolDispatcher(Config block, DispatcherPrerequisites prerequisites) {
    super(block, prerequisites);
    loops = SimScheduler.loops(prerequisites);
    id = block.getString("id");
  }

  @Override
  public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
    return () -> new PoolService(loops, loops.pool(this.id));
  }
}
