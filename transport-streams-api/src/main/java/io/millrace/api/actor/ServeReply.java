package io.millrace.api.actor;

import io.millrace.wire.Route;

/** Whether a route is served now. */
public sealed interface ServeReply {
  /** Which route. */
  Route route();

  /** Peers reach the actor from now on. */
  record Served(Route route) implements ServeReply {}

  /** Peers do not reach it any more; what the server was given is still its to decide. */
  record Ended(Route route) implements ServeReply {}

  /** Somebody serves it who has not stopped; nothing has changed. */
  record Refused(Route route, String text) implements ServeReply {}
}
