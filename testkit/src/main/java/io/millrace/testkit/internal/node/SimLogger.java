package io.millrace.testkit.internal.node;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.event.Logging;

/** Tells the observers of the nodes of logged errors, and of messages that reached nobody. */
public final class SimLogger extends AbstractActor {
  /** Called by Pekko. */
  public SimLogger() {}

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(
            Logging.InitializeLogger.class,
            message -> {
              context().system().eventStream().subscribe(self(), DeadLetter.class);
              sender().tell(Logging.loggerInitialized(), self());
            })
        .match(DeadLetter.class, SimLogger::onDeadLetter)
        .match(Logging.Error.class, SimLogger::onError)
        .matchAny(message -> {})
        .build();
  }

  private static void onDeadLetter(DeadLetter letter) {
    NodeLife life = LifeLoops.current();
    life.observer()
        .onDeadLetter(life, letter.message(), letter.recipient().path().toStringWithoutAddress());
  }

  private static void onError(Logging.Error error) {
    NodeLife life = LifeLoops.current();
    life.observer().onLoggedError(life, error);
  }
}
