package io.millrace.testkit.driver;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** The answers of a driver's test to the contracts of {@link DriverTck}, and its adjustments. */
public interface DriverUnderTest {
  /** The driver to test; the driver must be available here, or the test class must skip itself. */
  DriverProvider provider();

  /** The address of test endpoints; port 0. */
  default InetSocketAddress bindAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** The settings of test endpoints. */
  default EndpointSettings settings() {
    return EndpointSettings.defaults(bindAddress());
  }

  /** Whether endpoints tell the source of a datagram. */
  default boolean tellsSources() {
    return true;
  }

  /** Whether endpoints are bound to port numbers, so that a port can be in use. */
  default boolean usesPorts() {
    return true;
  }

  /** Whether an endpoint notices a second thread inside, where assertions are on. */
  default boolean noticesSecondThread() {
    return false;
  }

  /** Addresses of the driver's family refused by {@link Endpoint#resolve}. */
  default List<EndpointAddress> malformedAddresses() {
    return List.of(
        new EndpointAddress(provider().family(), new byte[0]),
        new EndpointAddress(provider().family(), new byte[5]));
  }

  /** Number of trains in the test of the steady state. */
  default int steadyTrains() {
    return 100_000;
  }

  /** Opens an endpoint with {@link #settings()}. */
  default Endpoint open() throws DriverException {
    return provider().open(settings());
  }
}
