package io.millrace.config;

/**
 * What is made of events though nobody subscribed.
 *
 * @param log whether handlers that throw and handshakes that were refused are logged
 */
public record EventSettings(boolean log) {
  static final EventSettings DEFAULT = new EventSettings(true);

  static EventSettings from(Section section) {
    return new EventSettings(section.flag("log"));
  }
}
