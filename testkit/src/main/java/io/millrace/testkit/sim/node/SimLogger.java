package io.millrace.testkit.sim.node;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.event.Logging;

/** Takes an error that an actor system logs for a broken rule: nothing in a node may log one. */
public final class SimLogger extends AbstractActor {
  /** Called by Pekko. */
  public SimLogger() {}

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(
            Logging.InitializeLogger.class,
            message -> sender().tell(Logging.loggerInitialized(), self()))
        .match(Logging.Error.class, SimLogger::onError)
        .matchAny(message -> {})
        .build();
  }

  private static void onError(Logging.Error error) {
    NodeLife.current()
        .simulation()
        .fail("logged error", error.logSource() + ": " + error.message(), error.cause());
  }
}
