package io.millrace.nic;

import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.event.TransportEvents;
import io.millrace.handshake.AdvertisedNic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Opens the endpoints of a worker. An endpoint that cannot be opened is left out and told, unless
 * no endpoint is left.
 */
public final class EndpointOpener {
  private static final long BITS_PER_MBIT = 1_000_000;

  private EndpointOpener() {}

  /**
   * Opens endpoints at these places; on the worker's thread.
   *
   * @param worker the worker of the endpoints. An endpoint other than the first takes another port
   *     if its own port is taken, for peers learn ports by the handshake
   * @param events told of missing endpoints
   * @throws DriverException if no endpoint could be opened, with the reason of the first
   */
  public static WorkerEndpoints open(
      List<NodeNics.Place> places, int worker, TransportEvents events) throws DriverException {
    List<Endpoint> opened = new ArrayList<>();
    List<EndpointDescription> descriptions = new ArrayList<>();
    Map<String, String> refused = new LinkedHashMap<>();
    DriverException first = null;
    try {
      for (NodeNics.Place place : places) {
        try {
          Endpoint endpoint = open(place, worker > 0 || !opened.isEmpty(), worker, events);
          opened.add(endpoint);
          descriptions.add(describe(place, endpoint));
        } catch (DriverException e) {
          first = first == null ? e : first;
          refused.put(
              "NIC " + place.nic().name() + " by " + place.driver().name(),
              String.valueOf(e.getMessage()));
        }
      }
    } catch (RuntimeException | Error e) {
      opened.forEach(Endpoint::close);
      throw e;
    }
    if (opened.isEmpty()) {
      throw first == null ? new DriverException("there is no NIC") : first;
    }
    refused.forEach(
        (nic, reason) ->
            events.onResourceMissing(nic, reason, "worker " + worker + " does without it"));
    return new WorkerEndpoints(opened, descriptions);
  }

  private static Endpoint open(
      NodeNics.Place place, boolean mayMove, int worker, TransportEvents events)
      throws DriverException {
    try {
      return place.driver().open(place.settings());
    } catch (DriverException e) {
      int port = place.settings().bindAddress().getPort();
      if (!mayMove || port == 0) {
        throw e;
      }
      Endpoint endpoint = place.driver().open(place.settings().withPort(0));
      events.onResourceMissing(
          "port " + port, String.valueOf(e.getMessage()), "worker " + worker + " has another one");
      return endpoint;
    }
  }

  private static EndpointDescription describe(NodeNics.Place place, Endpoint endpoint) {
    return new EndpointDescription(
        place.nic().name(),
        new AdvertisedNic(
            place.nic().number(),
            endpoint.remoteMemory() != null,
            place.nic().network().prefixBits(),
            place.nic().bitsPerSecond() / BITS_PER_MBIT,
            place.nic().network().isInner()),
        place.driver().name(),
        endpoint.localAddress(),
        endpoint.counters(),
        place.nic().share());
  }
}
