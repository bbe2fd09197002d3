package io.millrace.actor.pool;

import io.millrace.event.EventSubscribers;
import io.millrace.event.TransportEvents;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the log what a server's operator should see though nobody subscribed: handlers that
 * throw, and handshakes that were refused. Both are told seldom of one cause. It is a subscriber
 * with a thread of its own, so an appender that blocks keeps nobody.
 */
final class EventLog implements TransportEvents {
  /** What it logs to. */
  static final String LOGGER = "io.millrace.events";

  /** Events that may wait for an appender. */
  static final int QUEUED_EVENTS = 256;

  private final Logger log;

  EventLog(Logger log) {
    this.log = log;
  }

  /** Has one told of these events. */
  static void subscribe(EventSubscribers events) {
    events.addForRare(new EventLog(LoggerFactory.getLogger(LOGGER)), QUEUED_EVENTS);
  }

  @Override
  public void onHandlerFault(
      String peer, String route, String pattern, Throwable fault, long count) {
    log.error(
        "The {} handler of route {} failed a call of {}, number {} that it failed: {}",
        pattern,
        route,
        peer,
        count,
        fault.toString(),
        fault);
  }

  @Override
  public void onHandshakeRefused(String remote, String reason, long count) {
    log.warn(
        "Refused a handshake of {}, number {} that was refused to its host: {}",
        remote,
        count,
        reason);
  }
}
