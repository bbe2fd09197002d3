package io.millrace.event;

/**
 * Who sees events, and what it wants.
 *
 * @param events is told
 * @param options what it wants
 */
public record Subscriber(TransportEvents events, SubscriptionOptions options) {
  /** Nobody. */
  public static final Subscriber NONE =
      new Subscriber(TransportEvents.NONE, SubscriptionOptions.DEFAULTS);
}
