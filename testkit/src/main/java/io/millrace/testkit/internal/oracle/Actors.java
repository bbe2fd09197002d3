package io.millrace.testkit.internal.oracle;

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
  /** All actors of a transport live below an actor with this prefix. */
  private static final String OF_TRANSPORT = "/millrace-";

  private Actors() {}

  /** The paths of all actors alive, sorted. */
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

  /** Whether a path, or a text with a path, belongs to an actor of a transport. */
  static boolean isOfTransport(String path) {
    return path.contains(OF_TRANSPORT);
  }

  private static void collect(ActorRef actor, List<String> found) {
    found.add(actor.path().toStringWithoutAddress());
    if (actor instanceof ActorRefWithCell known) {
      CollectionConverters.asJava(known.underlying().childrenRefs().children())
          .forEach(child -> collect(child, found));
    }
  }
}
