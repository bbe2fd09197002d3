package io.millrace.udp.nio;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;

class NioUdpTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new NioUdpProvider();
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
