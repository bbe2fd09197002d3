package io.millrace.config;

import java.util.Set;
import java.util.function.Function;

/**
 * How fast a network interface sends and is sent to.
 *
 * @param send the send rate of the NIC, for all its workers together
 * @param link the link that leads to the NIC
 * @param forecastsAnswers whether requests carry grants for the answers that this node expects
 */
public record NicRates(SendRateSettings send, LinkSettings link, boolean forecastsAnswers) {
  /** The keys that an entry of {@code millrace.nics} may have; the other keys are the block's. */
  static final Set<String> KEYS = Set.of("bandwidth", "queue", "send-rate", "receive-rate");

  /** Rates without a forecast of answers. */
  public NicRates(SendRateSettings send, LinkSettings link) {
    this(send, link, false);
  }

  static NicRates from(Section nic) {
    return from(key -> nic, nic);
  }

  /** The rates of an entry; keys without a value there have the value of the block. */
  static NicRates of(Section entry, Section nic) {
    return from(key -> entry.has(key) ? entry : nic, nic);
  }

  private static NicRates from(Function<String, Section> holder, Section nic) {
    return new NicRates(
        SendRateSettings.from(holder, nic), LinkSettings.from(holder), nic.flag("answer-forecast"));
  }
}
