package io.millrace.api.actor;

import io.millrace.api.Registration;
import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * What one transport's actor serves. A route whose server has stopped stays here, and answers so,
 * until another takes it over. On the transport actor's thread.
 */
final class RouteTable {
  private final Map<Place, Entry> served = new LinkedHashMap<>();

  /** Of routes that nobody serves any more: what was given before is still to be decided. */
  private final List<ServedRoute<?>> left = new ArrayList<>();

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

  /** Gives the transport back whatever is served of a route. */
  void leave(Route route) {
    left.removeIf(ServedRoute::isDecided);
    for (Part part : Part.values()) {
      Entry entry = served.remove(new Place(route, part));
      if (entry != null) {
        entry.registration().close();
        entry.route().leave();
        left.add(entry.route());
      }
    }
  }

  void add(TransportCommand.Serving command, ServedRoute<?> route, Registration registration) {
    served.put(Place.of(command), new Entry(route, registration));
  }

  void onServerStopped(ActorRef<?> server) {
    for (ServedRoute<?> route : all()) {
      if (route.server().equals(server)) {
        route.onServerStopped();
      }
    }
  }

  /** Nobody serves any of them any more. */
  void close(String because) {
    for (ServedRoute<?> route : all()) {
      route.close(because);
    }
  }

  private List<ServedRoute<?>> all() {
    List<ServedRoute<?>> all = new ArrayList<>(left);
    served.values().forEach(entry -> all.add(entry.route()));
    return all;
  }
}
