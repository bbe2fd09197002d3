package io.millrace.udp.linux;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.udp.Ipv6Loopback;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Ipv6Loopback.Required
class LinuxUdpIpv6TckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new LinuxUdpProvider();
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
