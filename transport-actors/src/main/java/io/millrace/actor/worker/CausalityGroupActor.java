package io.millrace.actor.worker;

import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns and supervises one group of causality slots. So far it has none: dependencies between
 * transfers are not built yet.
 */
final class CausalityGroupActor {
  /** What the actor is told. */
  sealed interface Command {
    /** The worker closes. */
    record Close() implements Command {}
  }

  private CausalityGroupActor() {}

  /** The first group of one worker. */
  static Behavior<Command> create() {
    return Behaviors.receive(Command.class)
        .onMessage(Command.Close.class, command -> Behaviors.stopped())
        .build();
  }
}
