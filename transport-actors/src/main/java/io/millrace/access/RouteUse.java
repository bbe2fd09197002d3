package io.millrace.access;

/**
 * A route of this node and the way in which a peer uses it.
 *
 * @param route the name of the route
 * @param pattern how it is used
 */
public record RouteUse(String route, CallPattern pattern) {
  /** For people. */
  @Override
  public String toString() {
    return pattern.text() + " of route " + route;
  }
}
