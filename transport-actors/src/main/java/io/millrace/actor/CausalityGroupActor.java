package io.millrace.actor;

import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.packet.WorkerEnd;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns a worker's part of the causality map. Calls use the group directly, on the same thread; when
 * this actor ends, for any reason, every waiter for a transfer of the worker hears that the
 * transfer has failed.
 */
final class CausalityGroupActor {
  private CausalityGroupActor() {}

  /**
   * The owner of this group from now on.
   *
   * @param end the reason of the worker's end, if the worker ends
   */
  static Behavior<Void> create(CausalityGroup group, Supplier<WorkerEnd> end) {
    return Behaviors.receive(Void.class)
        .onSignal(
            PostStop.class,
            signal -> {
              WorkerEnd present = end.get();
              group.close(present.outcome(), present.text());
              return Behaviors.same();
            })
        .build();
  }
}
