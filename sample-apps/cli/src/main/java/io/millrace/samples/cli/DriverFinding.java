package io.millrace.samples.cli;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import org.jspecify.annotations.Nullable;

/**
 * A driver, and whether the driver works here.
 *
 * @param name the name for users
 * @param family the family; endpoints of one family can talk to each other
 * @param preference the preference; the larger is preferred
 * @param capabilities null for a driver that does not work here
 * @param reason the reason why the driver does not work here, else null
 */
record DriverFinding(
    String name,
    String family,
    int preference,
    @Nullable Capabilities capabilities,
    @Nullable String reason) {

  boolean isAvailable() {
    return capabilities != null;
  }

  /** Probes a driver. */
  static DriverFinding of(DriverProvider driver) {
    String name = driver.name();
    String family = driver.family();
    int preference = driver.preference();
    return switch (driver.probe()) {
      case DriverAvailability.Available available ->
          new DriverFinding(name, family, preference, available.capabilities(), null);
      case DriverAvailability.Unavailable unavailable ->
          new DriverFinding(name, family, preference, null, unavailable.reason());
    };
  }

  /** Returns the finding for a driver whose provider cannot even be loaded. */
  static DriverFinding broken(String name, String reason) {
    return new DriverFinding(name, "", Integer.MIN_VALUE, null, reason);
  }
}
