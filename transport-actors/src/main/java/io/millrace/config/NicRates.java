package io.millrace.config;

/**
 * How fast a network interface sends and is sent to.
 *
 * @param send the send rate of the NIC's workers
 * @param link the link that leads to this node
 */
public record NicRates(SendRateSettings send, LinkSettings link) {
  static NicRates from(Section nic) {
    return new NicRates(SendRateSettings.from(nic), LinkSettings.from(nic));
  }
}
