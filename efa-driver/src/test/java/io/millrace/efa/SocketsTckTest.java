package io.millrace.efa;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.DriverTck;
import io.millrace.testkit.driver.NeedsDriver;

/** The driver tests over the sockets provider. */
@NeedsDriver("fabric:sockets")
class SocketsTckTest extends DriverTck {
  @Override
  public DriverProvider provider() {
    return FabricDrivers.provider("sockets");
  }

  @Override
  public boolean tellsSources() {
    return false;
  }

  @Override
  public boolean noticesSecondThread() {
    return true;
  }
}
