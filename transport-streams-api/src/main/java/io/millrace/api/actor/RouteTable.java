package io.millrace.api.actor;

import io.millrace.api.Registration;
import io.millrace.wire.Route;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What one transport's actor serves. A route whose server has stopped stays here, and answers so,
 * until another takes it over. On the transport actor's thread.
 */
final class RouteTable {
  private final Map<Place, Entry> served = new LinkedHashMap<>();

  /** What a route has one server of. */
  private enum Part {
    CALLS_AND_READS,
    WRITES,
    STREAMS;

    static Part of(TransportCommand.Serving command) {
      return switch (command) {
        case TransportCommand.ServeUnary _, TransportCommand.ServeBulkReads _ -> CALLS_AND_READS;
        case TransportCommand.ServeBulkWrites _ -> WRITES;
        case TransportCommand.ServeStreamingResponse _,
            TransportCommand.ServeStreamingRequest _,
            TransportCommand.ServeBidirectional _ ->
            STREAMS;
      };
    }
  }

  private record Place(Route route, Part part) {
    static Place of(TransportCommand.Serving command) {
      return new Place(command.route(), Part.of(command));
    }
  }

  private record Entry(ServedRoute<?> route, Registration registration) {}

  /** Gives the transport back what the command would serve, if its server has stopped. */
  void vacate(TransportCommand.Serving command) {
    Place place = Place.of(command);
    Entry entry = served.get(place);
    if (entry != null && entry.route().isClosed()) {
      entry.registration().close();
      served.remove(place);
    }
  }

  void add(TransportCommand.Serving command, ServedRoute<?> route, Registration registration) {
    served.put(Place.of(command), new Entry(route, registration));
  }

  void onServerStopped(ActorRef<?> server) {
    for (Entry entry : served.values()) {
      if (entry.route().server().equals(server)) {
        entry.route().onServerStopped();
      }
    }
  }

  /** Nobody serves any of them any more. */
  void close(String because) {
    for (Entry entry : served.values()) {
      entry.route().close(because);
    }
  }
}
