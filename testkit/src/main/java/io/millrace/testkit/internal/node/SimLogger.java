package io.millrace.testkit.internal.node;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.event.Logging;

/** Tells those who watch the nodes of errors that are logged, and of messages that nobody got. */
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
