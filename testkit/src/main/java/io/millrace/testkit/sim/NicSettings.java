package io.millrace.testkit.sim;

/**
 * The two ends of an interface.
 *
 * @param egress the sending end, for all destinations
 * @param ingress the port of the switch before the interface, shared by all senders
 */
public record NicSettings(RateSettings egress, RateSettings ingress) {
  /** As fast as the links are. */
  public static final NicSettings UNLIMITED =
      new NicSettings(RateSettings.UNLIMITED, RateSettings.UNLIMITED);
}
