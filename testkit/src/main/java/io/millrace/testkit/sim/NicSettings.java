package io.millrace.testkit.sim;

/**
 * The ends of an interface.
 *
 * @param egress what it sends, to whomever
 * @param ingress the port of the switch before it, which all who send to it share
 */
public record NicSettings(RateSettings egress, RateSettings ingress) {
  /** As fast as the links are. */
  public static final NicSettings UNLIMITED =
      new NicSettings(RateSettings.UNLIMITED, RateSettings.UNLIMITED);
}
