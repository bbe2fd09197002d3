package io.millrace.testkit.internal.driver;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;

/** A base for drivers that change another driver in part. */
public abstract class ForwardingDriver implements DriverProvider {
  private final DriverProvider driver;

  /** Passes all calls to {@code driver}. */
  protected ForwardingDriver(DriverProvider driver) {
    this.driver = driver;
  }

  @Override
  public String name() {
    return driver.name();
  }

  @Override
  public String family() {
    return driver.family();
  }

  @Override
  public int preference() {
    return driver.preference();
  }

  @Override
  public DriverAvailability probe() {
    return driver.probe();
  }

  @Override
  public Endpoint open(EndpointSettings settings) throws DriverException {
    return driver.open(settings);
  }
}
