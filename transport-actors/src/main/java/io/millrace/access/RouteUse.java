package io.millrace.access;

/**
 * A route of this node and a peer's way of using the route.
 *
 * @param route the name of the route
 * @param pattern the pattern of the use
 */
public record RouteUse(String route, CallPattern pattern) {
  /** For people. */
  @Override
  public String toString() {
    return pattern.text() + " of route " + route;
  }
}
