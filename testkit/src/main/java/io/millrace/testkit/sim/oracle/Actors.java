package io.millrace.testkit.sim.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import scala.jdk.javaapi.CollectionConverters;

/** The actors of a system. */
final class Actors {
  private Actors() {}

  /** The paths of all actors that are alive, sorted. */
  static List<String> of(ActorSystem<?> system) {
    List<String> found = new ArrayList<>();
    if (!system.whenTerminated().isCompleted()
        && Adapter.toClassic(system) instanceof ExtendedActorSystem classic) {
      collect(classic.systemGuardian(), found);
      collect(classic.guardian(), found);
    }
    Collections.sort(found);
    return found;
  }

  private static void collect(ActorRef actor, List<String> found) {
    found.add(actor.path().toStringWithoutAddress());
    if (actor instanceof ActorRefWithCell known) {
      CollectionConverters.asJava(known.underlying().childrenRefs().children())
          .forEach(child -> collect(child, found));
    }
  }
}
