package io.millrace.actor.worker;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns and supervises the receive regions of one worker. So far it has none: write tokens are not
 * built yet, and everything travels inline.
 */
final class RegionPoolActor {
  /** What the actor is told. */
  sealed interface Command {
    /** The worker closes. */
    record Close() implements Command {}
  }

  private RegionPoolActor() {}

  /** The pool of one worker. */
  static Behavior<Command> create() {
    return Behaviors.receive(Command.class)
        .onMessage(Command.Close.class, command -> Behaviors.stopped())
        .build();
  }
}
