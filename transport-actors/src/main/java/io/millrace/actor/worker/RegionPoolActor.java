package io.millrace.actor.worker;

import io.millrace.actor.peer.WorkerRegions;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns the receive regions of one worker: their memory ends with it. The duty cycle uses them
 * directly, on the same thread.
 */
final class RegionPoolActor {
  /** What the actor is told. */
  sealed interface Command {
    /** The worker closes. */
    record Close() implements Command {}
  }

  private RegionPoolActor() {}

  /** The pool of one worker. */
  static Behavior<Command> create(WorkerRegions regions) {
    return Behaviors.receive(Command.class)
        .onMessage(Command.Close.class, command -> Behaviors.stopped())
        .build();
  }
}
