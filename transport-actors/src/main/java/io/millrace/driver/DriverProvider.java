package io.millrace.driver;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Names a driver, says whether the driver works on this host, and opens endpoints of the driver.
 *
 * <p>Providers are stateless and safe on any thread. {@link #probe()} and {@link #open} are control
 * plane: both may allocate, lock and block for a bounded time.
 */
public interface DriverProvider {
  /** Short name that users type, for example {@code udp} or {@code fabric:tcp}. */
  String name();

  /**
   * The driver that users call {@code name} and that this provider stands for, or null when this
   * provider has no such driver. A provider of many drivers, for example one for each provider of
   * libfabric, answers for all of the drivers though only one is registered.
   */
  default @Nullable DriverProvider named(String name) {
    return name.equals(name()) ? this : null;
  }

  /**
   * Endpoints of the same family can talk to each other whatever their provider; {@code udp} and
   * {@code udp-nio} share the family {@code udp}. An endpoint may be of a narrower family that its
   * NIC decides: an endpoint of {@code efa} is of the family {@code efa-direct} where libfabric has
   * that fabric. All endpoints of a NIC are of one family, which their addresses name.
   */
  String family();

  /** The larger is preferred when several are available. */
  int preference();

  /** Says whether the driver works here. Never throws; the answer holds the reason of a failure. */
  DriverAvailability probe();

  /**
   * Facts about the library and the device below this driver, for a person: short names and values,
   * in the order to print, without addresses of this host. Empty if the driver needs no library, or
   * the library is missing. Control plane; never throws: facts that cannot be had are left out.
   */
  default SequencedMap<String, String> facts() {
    return new LinkedHashMap<>();
  }

  /**
   * Opens an endpoint. Called on the thread that will own the endpoint.
   *
   * @throws DriverException with a clear sentence: port in use, no such address, no permission
   */
  Endpoint open(EndpointSettings settings) throws DriverException;
}
