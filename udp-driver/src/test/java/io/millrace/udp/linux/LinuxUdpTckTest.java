package io.millrace.udp.linux;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxUdpTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new LinuxUdpProvider();
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
