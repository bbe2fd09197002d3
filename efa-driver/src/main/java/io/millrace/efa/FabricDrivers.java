package io.millrace.efa;

import io.millrace.driver.DriverProvider;

/** Creates the drivers that users name {@code fabric:PROVIDER}. */
public final class FabricDrivers {
  /** The prefix of the drivers' names. */
  public static final String PREFIX = "fabric:";

  private FabricDrivers() {}

  /**
   * Returns the driver for a libfabric provider, even if the provider does not work here; {@link
   * DriverProvider#probe()} reports whether the provider works.
   *
   * @param provider libfabric's name, for example {@code sockets} or {@code tcp}
   */
  public static DriverProvider provider(String provider) {
    if (provider.isBlank()) {
      throw new IllegalArgumentException("the name of a libfabric provider is missing");
    }
    return new FabricProvider(PREFIX + provider, provider);
  }
}
