package io.millrace.engine;

import io.millrace.config.ProcessSettings;
import io.millrace.config.ProcessSettings.JfrUse;
import io.millrace.config.SettingsException;
import io.millrace.event.EventSubscribers;
import io.millrace.event.Subscriber;
import io.millrace.event.TransportEvents;
import io.millrace.node.DrainReport;
import io.millrace.telemetry.jfr.JfrSubscriber;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of a node's events from its start on: the subscriber given at the start, the log,
 * the Flight Recorder. Owned by the node.
 */
final class NodeEvents implements AutoCloseable {
  private final EventSubscribers subscribers;
  private final @Nullable JfrSubscriber jfr;
  private final Supplier<String> mark;

  private NodeEvents(
      EventSubscribers subscribers, @Nullable JfrSubscriber jfr, Supplier<String> mark) {
    this.subscribers = subscribers;
    this.jfr = jfr;
    this.mark = mark;
  }

  /**
   * Creates the events of a node that begins to start.
   *
   * @param given the subscriber that hears all events from the first on
   * @param tellsAtOnce whether the given subscriber is told where events happen; nothing is
   *     recorded then
   * @param mark the words in front of each logged line
   * @throws SettingsException if events are to be recorded and this JVM cannot
   */
  static NodeEvents start(
      EventSubscribers.Means means,
      Subscriber given,
      boolean tellsAtOnce,
      ProcessSettings process,
      Supplier<String> mark) {
    EventSubscribers subscribers = new EventSubscribers(means);
    try {
      if (tellsAtOnce) {
        subscribers.direct(given.events());
      } else if (!given.events().equals(TransportEvents.NONE)) {
        subscribers.add(given.events(), given.options());
      }
      if (process.logsEvents()) {
        EventLog.subscribe(subscribers, mark);
      }
      JfrUse use = tellsAtOnce ? JfrUse.OFF : process.jfr();
      return new NodeEvents(subscribers, jfr(use, subscribers), mark);
    } catch (RuntimeException e) {
      subscribers.close();
      throw e;
    }
  }

  private static @Nullable JfrSubscriber jfr(JfrUse use, EventSubscribers subscribers) {
    if (use == JfrUse.OFF) {
      return null;
    }
    if (JfrSubscriber.isAvailable()) {
      return JfrSubscriber.start(subscribers::add, use == JfrUse.ON);
    }
    if (use == JfrUse.ON) {
      throw new SettingsException(
          "millrace.events.jfr", "is on, but this JVM has no Flight Recorder");
    }
    return null;
  }

  /** The destination of events. */
  EventSubscribers subscribers() {
    return subscribers;
  }

  /** The workers run, and can report their activity. */
  void onWorkersStarted() {
    if (jfr != null) {
      jfr.onWorkers();
    }
  }

  /** Logs the remains of a drain, before the drained node closes. */
  void logDrained(Duration limit, @Nullable DrainReport left) {
    EventLog.onDrained(limit, left, mark.get());
  }

  /** Ends the events: each subscriber hears the last events. Idempotent. */
  @Override
  public void close() {
    if (jfr != null) {
      jfr.stopListening();
    }
    subscribers.close();
    if (jfr != null) {
      jfr.close();
    }
  }
}
