package io.millrace.actor;

import io.millrace.path.region.WorkerRegions;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Owns the receive regions of a worker. The duty cycle uses the regions directly, on the same
 * thread; this actor tells the state of the regions, and ends the regions with itself, for whatever
 * reason. As a child of the worker's actor the actor stops after the peers, and before the endpoint
 * is closed: no registration is left when the memory goes.
 */
final class RegionPoolActor {
  /** The commands of the actor. */
  sealed interface Command {
    /** Tell the state of the regions at this moment. */
    record TakeCensus(CompletableFuture<RegionPoolCensus> answer) implements Command {}
  }

  private RegionPoolActor() {}

  /** The owner of these regions from now on. */
  static Behavior<Command> create(int worker, WorkerRegions regions) {
    return Behaviors.receive(Command.class)
        .onMessage(
            Command.TakeCensus.class,
            command -> {
              command.answer().complete(RegionPoolCensus.of(worker, regions));
              return Behaviors.same();
            })
        .onSignal(
            PostStop.class,
            signal -> {
              regions.close();
              return Behaviors.same();
            })
        .build();
  }
}
