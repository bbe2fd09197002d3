package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.sim.Oracle;
import org.apache.pekko.event.Logging;

/** No watched actor writes an error into the log of an actor system. */
public final class LogOracle implements Oracle, NodeObserver {
  private static final String NAME = "logged error";

  private final Simulation simulation;
  private final boolean watchesAll;

  private LogOracle(FullCluster cluster, boolean watchesAll) {
    simulation = cluster.simulation();
    this.watchesAll = watchesAll;
    cluster.observe(this);
  }

  /** Watches the actors of transports: an application may log anything. */
  public static LogOracle ofTransports(FullCluster cluster) {
    return new LogOracle(cluster, /* watchesAll= */ false);
  }

  /** Watches all actors: for an application that has no reason to log an error. */
  public static LogOracle ofAll(FullCluster cluster) {
    return new LogOracle(cluster, /* watchesAll= */ true);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onLoggedError(NodeLife life, Logging.Error error) {
    if (watchesAll || Actors.isOfTransport(error.logSource())) {
      String what = Lives.text(life) + ", " + error.logSource() + ": " + error.message();
      simulation.fail(NAME, what, error.cause());
    }
  }
}
