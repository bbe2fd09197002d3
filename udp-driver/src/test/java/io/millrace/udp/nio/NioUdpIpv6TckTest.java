package io.millrace.udp.nio;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.udp.Ipv6Loopback;
import java.net.InetSocketAddress;

@Ipv6Loopback.Required
class NioUdpIpv6TckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new NioUdpProvider();
  }

  @Override
  public InetSocketAddress bindAddress() {
    return Ipv6Loopback.anyPort();
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
