package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.sim.Oracle;

/**
 * No message of the transport goes to a dead actor of the transport, as long as none of the life's
 * transports is closing. An application's actors may stop at any time, and miss their answers.
 */
public final class DeadLetterOracle implements Oracle, NodeObserver {
  private static final String NAME = "no dead letters";
  private static final String OURS = "io.millrace.";

  private final Simulation simulation;

  /** Watches the nodes of a cluster before the first node boots. */
  public DeadLetterOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observe(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onDeadLetter(NodeLife life, Object message, String recipient) {
    if (message.getClass().getName().startsWith(OURS)
        && Actors.isOfTransport(recipient)
        && life.pools().stream().noneMatch(TransportPool::isClosing)) {
      simulation.fail(
          NAME,
          Lives.text(life)
              + ": "
              + message.getClass().getSimpleName()
              + " to "
              + recipient
              + ", which is gone",
          null);
    }
  }
}
