package io.millrace.config;

/**
 * How fast a network interface sends and is sent to.
 *
 * @param send the send rate of the NIC's workers
 * @param link the link that leads to this node
 * @param forecastsAnswers whether requests carry grants for the answers that this node expects
 */
public record NicRates(SendRateSettings send, LinkSettings link, boolean forecastsAnswers) {
  static NicRates from(Section nic) {
    return new NicRates(
        SendRateSettings.from(nic), LinkSettings.from(nic), nic.flag("answer-forecast"));
  }
}
