package io.millrace.udp.linux;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The driver on a kernel that does not cut or join trains, mark packets or queue errors. */
@EnabledOnOs(OS.LINUX)
class LinuxUdpWithoutOffloadTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new OldKernel();
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }

  private static final class OldKernel extends ForwardingDriver {
    OldKernel() {
      super(new LinuxUdpProvider());
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      FaultyLibc libc =
          new FaultyLibc()
              .refuse(SocketOptions.SOL_UDP, SocketOptions.UDP_SEGMENT)
              .refuse(SocketOptions.SOL_UDP, SocketOptions.UDP_GRO)
              .refuse(SocketOptions.SOL_SOCKET, SocketOptions.SO_RXQ_OVFL)
              .refuse(IpVersion.IPV4.level, IpVersion.IPV4.trafficClass)
              .refuse(IpVersion.IPV4.level, IpVersion.IPV4.receiveErrors);
      return LinuxUdpEndpoint.open(libc, settings);
    }
  }
}
