package io.millrace.testkit.internal.patch;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/**
 * A clock that asks at each reading whether a simulation reads the clock: classes keep clocks for
 * long.
 */
final class SimulatedClock extends Clock {
  private final ZoneId zone;

  SimulatedClock(ZoneId zone) {
    this.zone = zone;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new SimulatedClock(other);
  }

  @Override
  public long millis() {
    return SimulatedCalls.currentTimeMillis();
  }

  @Override
  public Instant instant() {
    Surroundings simulated = SimulatedCalls.surroundings();
    return simulated == null ? Instant.now() : Instant.ofEpochMilli(simulated.currentTimeMillis());
  }
}
