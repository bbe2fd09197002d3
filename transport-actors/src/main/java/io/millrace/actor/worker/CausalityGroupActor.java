package io.millrace.actor.worker;

import io.millrace.actor.causality.CausalityGroup;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns one worker's part of the causality map. Calls use it directly, on the same thread; when this
 * actor ends, however that comes about, whatever waits for a transfer of the worker hears that it
 * has failed.
 */
final class CausalityGroupActor {
  private CausalityGroupActor() {}

  /** The owner of this group from now on. */
  static Behavior<Void> create(CausalityGroup group) {
    return Behaviors.receive(Void.class)
        .onSignal(
            PostStop.class,
            signal -> {
              group.close();
              return Behaviors.same();
            })
        .build();
  }
}
