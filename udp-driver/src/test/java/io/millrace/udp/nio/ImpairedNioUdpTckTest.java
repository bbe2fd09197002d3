package io.millrace.udp.nio;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;

/** The decorator must be transparent without impairments. */
class ImpairedNioUdpTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return new ImpairedDriver(new NioUdpProvider(), new Impairment(1, 0, 0, 0, 1, 0));
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
