package io.millrace.testkit.driver;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** What a driver's test tells the contracts of {@link DriverTck}, and how it adjusts them. */
public interface DriverUnderTest {
  /** The driver to test; it must be available here, or the test class must skip itself. */
  DriverProvider provider();

  /** Where test endpoints are bound; port 0. */
  default InetSocketAddress bindAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** How test endpoints are opened. */
  default EndpointSettings settings() {
    return EndpointSettings.defaults(bindAddress());
  }

  /** Whether endpoints tell where a datagram came from. */
  default boolean tellsSources() {
    return true;
  }

  /** Whether endpoints are bound to port numbers, so that a port can be in use. */
  default boolean usesPorts() {
    return true;
  }

  /** Whether two threads inside one endpoint are noticed where assertions are on. */
  default boolean noticesSecondThread() {
    return false;
  }

  /** Addresses of the driver's family that {@link Endpoint#resolve} must refuse. */
  default List<EndpointAddress> malformedAddresses() {
    return List.of(
        new EndpointAddress(provider().family(), new byte[0]),
        new EndpointAddress(provider().family(), new byte[5]));
  }

  /** Trains that the test of the steady state sends. */
  default int steadyTrains() {
    return 100_000;
  }

  /** Opens an endpoint with {@link #settings()}. */
  default Endpoint open() throws DriverException {
    return provider().open(settings());
  }
}
