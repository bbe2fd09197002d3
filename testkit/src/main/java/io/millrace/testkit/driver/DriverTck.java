package io.millrace.testkit.driver;

/**
 * The tests that every driver has to pass. A driver's test class extends this class and names its
 * provider:
 *
 * <pre>{@code
 * class NioUdpTckTest extends DriverTck {
 *   @Override
 *   public DriverProvider provider() {
 *     return new NioUdpProvider();
 *   }
 * }
 * }</pre>
 *
 * The tests leave out operations that the driver says it cannot do ({@link
 * io.millrace.driver.Capabilities}); the methods of {@link DriverUnderTest} adjust the rest. Tests
 * run on one thread, sleep never, and expect nothing of the clock but that 20 seconds are enough.
 */
public abstract class DriverTck
    implements LifecycleContract,
        DeliveryContract,
        SendBufferContract,
        FaultContract,
        SteadyContract {
  /** For subclasses. */
  protected DriverTck() {}
}
