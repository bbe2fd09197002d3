package io.millrace.path.peer;

import io.millrace.config.TransportSettings;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.event.TransportEvents;
import io.millrace.path.packet.WorkerContext;

/**
 * What all workers of a node share; immutable but for the routes.
 *
 * @param terms what paths need, whatever they carry
 * @param routes what this node serves
 * @param elements memory of the elements of streams that have arrived
 * @param requests memory of requests that are not answered yet
 */
public record NodeServices(
    WorkerContext.Terms terms, NodeRoutes routes, StreamBudget elements, RequestBudget requests) {
  /** The transport's settings. */
  public TransportSettings settings() {
    return terms.settings();
  }

  /** Where events go. */
  public TransportEvents events() {
    return terms.events();
  }
}
