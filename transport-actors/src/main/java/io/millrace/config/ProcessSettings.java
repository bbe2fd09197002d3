package io.millrace.config;

import java.time.Duration;

/**
 * A node's services for the process that hosts the node.
 *
 * @param shutdownDrain how long the node is drained at most when its process is told to end
 * @param logsEvents whether failures of handlers, refused handshakes, deaths of peers and the
 *     remains of a drain are logged without a subscriber
 * @param jfr when events go to the JVM's Flight Recorder
 */
public record ProcessSettings(Duration shutdownDrain, boolean logsEvents, JfrUse jfr) {
  private static final long LONGEST_DRAIN_NS = 3_600_000_000_000L;

  /** The times when events go to the JVM's Flight Recorder. */
  public enum JfrUse {
    /** While a recording runs. */
    AUTO,
    /** From the start to the end of the node. */
    ON,
    /** Never. */
    OFF
  }

  static ProcessSettings from(Section limits, Section events) {
    return new ProcessSettings(
        Duration.ofNanos(limits.nanos("shutdown-drain", 0, LONGEST_DRAIN_NS)),
        events.flag("log"),
        events.choice("jfr", JfrUse.class));
  }
}
