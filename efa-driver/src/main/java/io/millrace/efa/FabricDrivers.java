package io.millrace.efa;

import io.millrace.driver.DriverProvider;

/** Where the drivers come from that users name {@code fabric:PROVIDER}. */
public final class FabricDrivers {
  /** What those names start with. */
  public static final String PREFIX = "fabric:";

  private FabricDrivers() {}

  /**
   * The driver for a libfabric provider, whether it works here or not; its {@link
   * DriverProvider#probe()} tells.
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
