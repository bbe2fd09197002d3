package io.millrace.testkit.internal.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointAddress;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RetrySettings;
import io.millrace.testkit.sim.VirtualTime;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The messages of a simulated fabric fulfil the duties of every driver. */
class SimFabricTckTest extends DriverTck {
  /** Time that jumps to every requested time at once. */
  private static final class ImmediateTime implements VirtualTime {
    private long nowNs;

    @Override
    public long nowNs() {
      return nowNs;
    }

    @Override
    public void at(long timeNs, Runnable event) {
      nowNs = Math.max(nowNs, timeNs);
      event.run();
    }
  }

  /** Each retry is a call within a call here. */
  private static final FabricSettings SETTINGS =
      FabricSettings.DEFAULT.withRetry(new RetrySettings(10_000_000, 50_000_000, 10_000, 10));

  private final VirtualTime time = new ImmediateTime();
  private final SimNetwork network = new SimNetwork(time, 1, NetworkSettings.clean(1_000));
  private final SimFabric fabric =
      new SimFabric(SimFabric.FAMILY, time, link -> time, 1, network, SETTINGS);
  private final SimFabricDriver driver = new SimFabricDriver(fabric, 258, () -> () -> {});

  @AfterEach
  void shouldHaveGivenEveryBufferBack() {
    assertEquals(0, fabric.buffersInUse());
    fabric.close();
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
        new EndpointAddress(SimFabric.FAMILY, new byte[0]),
        new EndpointAddress(SimFabric.FAMILY, new byte[5]),
        new EndpointAddress(SimFabric.FAMILY, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}),
        new EndpointAddress("sim", new byte[8]));
  }
}
