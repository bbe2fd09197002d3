package io.millrace.testkit.internal.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointAddress;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.NetworkSettings;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/**
 * The simulated driver fulfils the duties of every driver, with time passing as fast as possible.
 */
class SimDriverTckTest extends DriverTck {
  private final SimNetwork network =
      new SimNetwork(new ImmediateTime(), 1, NetworkSettings.clean(1_000));
  private final SimDriver driver = new SimDriver(network, 258, () -> () -> {});

  @AfterEach
  void shouldHaveGivenEveryBufferBack() {
    assertEquals(0, network.buffersInUse());
    network.close();
  }

  @Override
  public DriverProvider provider() {
    return driver;
  }

  @Override
  public InetSocketAddress bindAddress() {
    return new SimAddress(258, 0, 0).inet();
  }

  @Override
  public List<EndpointAddress> malformedAddresses() {
    return List.of(
        new EndpointAddress("sim", new byte[0]),
        new EndpointAddress("sim", new byte[5]),
        new EndpointAddress("sim", new byte[] {1, 0, 0, 0, 0, 0, 0, 0}),
        new EndpointAddress("sim", new byte[] {0, 0, 0, 0, 1, 0, 0, 0}));
  }
}
