package io.millrace.driver;

import org.jspecify.annotations.Nullable;

/**
 * Names a driver, says whether it works on this host, and opens endpoints of it.
 *
 * <p>Stateless and safe on any thread. {@link #probe()} and {@link #open} are control plane: they
 * may allocate, lock and block for a bounded time.
 */
public interface DriverProvider {
  /** Short name that users type, for example {@code udp} or {@code fabric:tcp}. */
  String name();

  /**
   * The driver that users call {@code name} and that this provider stands for, or null when there
   * is none. A provider of many drivers, for example one for each provider of libfabric, answers
   * for all of them though only one is registered.
   */
  default @Nullable DriverProvider named(String name) {
    return name.equals(name()) ? this : null;
  }

  /**
   * Endpoints of one family can talk to each other whatever their provider; {@code udp} and {@code
   * udp-nio} share the family {@code udp}.
   */
  String family();

  /** The larger is preferred when several are available. */
  int preference();

  /** Says what works here. Never throws; whatever went wrong is the reason in the answer. */
  DriverAvailability probe();

  /**
   * Opens one endpoint. Called on the thread that will own the endpoint.
   *
   * @throws DriverException with one clear sentence: port in use, no such address, no permission
   */
  Endpoint open(EndpointSettings settings) throws DriverException;
}
