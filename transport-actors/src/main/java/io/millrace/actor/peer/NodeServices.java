package io.millrace.actor.peer;

import io.millrace.actor.call.RequestBudget;
import io.millrace.actor.nic.NodeNics;
import io.millrace.actor.packet.WorkerContext;
import io.millrace.actor.stream.StreamBudget;
import io.millrace.config.TransportSettings;
import io.millrace.event.TransportEvents;

/**
 * What all workers of a node share; immutable but for the routes.
 *
 * @param shared what paths need, whatever they carry
 * @param nics whose endpoints the workers open
 * @param routes what this node serves
 * @param elements memory of the elements of streams that have arrived
 * @param requests memory of requests that are not answered yet
 */
public record NodeServices(
    WorkerContext.Shared shared,
    NodeNics nics,
    Routes routes,
    StreamBudget elements,
    RequestBudget requests) {
  /** The transport's settings. */
  public TransportSettings settings() {
    return shared.settings();
  }

  /** Where events go. */
  public TransportEvents events() {
    return shared.events();
  }
}
