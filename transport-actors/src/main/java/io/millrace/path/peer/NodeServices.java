package io.millrace.path.peer;

import io.millrace.config.TransportSettings;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.event.TransportEvents;
import io.millrace.path.packet.WorkerContext;

/**
 * The services shared by all workers of a node; immutable but for the routes.
 *
 * @param terms the services of paths below calls, streams and bodies
 * @param routes the routes served by this node
 * @param elements memory of the received elements of streams
 * @param requests memory of requests not answered yet
 */
public record NodeServices(
    WorkerContext.Terms terms, NodeRoutes routes, StreamBudget elements, RequestBudget requests) {
  /** The transport's settings. */
  public TransportSettings settings() {
    return terms.settings();
  }

  /** The receiver of events. */
  public TransportEvents events() {
    return terms.events();
  }
}
