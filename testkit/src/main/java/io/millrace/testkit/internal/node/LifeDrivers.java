package io.millrace.testkit.internal.node;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of a life of a node: the first driver, and the other drivers by name. Thread of the
 * simulation.
 *
 * @param all at least one driver
 */
record LifeDrivers(List<DriverProvider> all) implements DriverProvider {
  @Override
  public String name() {
    return all.getFirst().name();
  }

  @Override
  public @Nullable DriverProvider named(String name) {
    for (DriverProvider driver : all) {
      if (driver.name().equals(name)) {
        return driver;
      }
    }
    return null;
  }

  @Override
  public String family() {
    return all.getFirst().family();
  }

  @Override
  public int preference() {
    return all.getFirst().preference();
  }

  @Override
  public DriverAvailability probe() {
    return all.getFirst().probe();
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    return all.getFirst().open(settings);
  }
}
