package io.millrace.event;

/**
 * A subscriber to events, and the subscriber's options.
 *
 * @param events is told
 * @param options the options of the subscription
 */
public record Subscriber(TransportEvents events, SubscriptionOptions options) {
  /** Nobody. */
  public static final Subscriber NONE =
      new Subscriber(TransportEvents.NONE, SubscriptionOptions.DEFAULTS);
}
