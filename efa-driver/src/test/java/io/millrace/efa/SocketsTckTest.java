package io.millrace.efa;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;

/** The driver tests over the sockets provider. */
@NeedsProvider("sockets")
class SocketsTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return FabricDrivers.provider("sockets");
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
