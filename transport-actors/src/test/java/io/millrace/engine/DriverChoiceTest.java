package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.node.TransportException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverChoiceTest {
  private static final EndpointSettings TRIAL =
      EndpointSettings.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  private final List<String> passedOver = new ArrayList<>();
  private final Map<String, String> trials = new HashMap<>();

  /** A driver that works, unless {@code problem} gives a reason against the driver. */
  private record Driver(String name, @Nullable String problem) implements DriverProvider {
    @Override
    public String family() {
      return name;
    }

    @Override
    public int preference() {
      return 0;
    }

    @Override
    public DriverAvailability probe() {
      return problem == null
          ? new DriverAvailability.Available(
              new Capabilities(1_200, 1, 1_200, false, false, false, false, false))
          : new DriverAvailability.Unavailable(problem);
    }

    @Override
    public Endpoint open(EndpointSettings settings) {
      throw new AssertionError("nothing is opened to choose");
    }
  }

  private DriverProvider best(DriverProvider... found) {
    return DriverChoice.best(
        List.of(found),
        driver -> trials.get(driver.name()),
        (driver, reason) -> passedOver.add(driver + ": " + reason));
  }

  @Test
  void shouldTellOfThoseThatAreBetterAndDoNotWorkOnly() {
    Driver works = new Driver("udp", null);
    Driver first = new Driver("efa", "no device");
    assertSame(works, best(first, works, new Driver("udp-nio", "never asked")));
    assertEquals(List.of("efa: no device"), passedOver);
  }

  @Test
  void shouldNameEveryReasonWhenNoneWorks() {
    TransportException failure =
        assertThrows(
            TransportException.class, () -> best(new Driver("a", "x"), new Driver("b", "y")));
    assertEquals("no driver works here; a: x; b: y", failure.getMessage());
    assertEquals(List.of("a: x", "b: y"), passedOver);
  }

  @Test
  void shouldRefuseAListOfWhichNothingWorks() {
    TransportException none =
        assertThrows(
            TransportException.class,
            () ->
                DriverChoice.chooseAll(
                    List.of("nosuch", "nothing"),
                    TRIAL,
                    (driver, reason) -> passedOver.add(driver)));
    assertEquals("none of the drivers [nosuch, nothing] works here", none.getMessage());
    assertEquals(List.of("nosuch", "nothing"), passedOver);
  }

  /** The probe sees no limit of locked memory; opening an endpoint meets the limit. */
  @Test
  void shouldPassOverOneThatSeemsToWorkAndOpensNoEndpoint() {
    Driver works = new Driver("udp", null);
    trials.put("efa", "cannot allocate memory");
    assertSame(works, best(new Driver("efa", null), works));
    assertEquals(List.of("efa: cannot allocate memory"), passedOver);
  }

  @Test
  void shouldLetTheBestFailTheStartWhenNoneOpensAnEndpoint() {
    Driver best = new Driver("a", null);
    trials.put("a", "no such address");
    trials.put("b", "no such address");
    assertSame(best, best(best, new Driver("b", null)));
    assertEquals(List.of(), passedOver);
  }

  @Test
  void shouldTryOnlyWhatWritesIntoTheMemoryOfPeers() {
    assertNull(DriverChoice.refusal(new Driver("udp", null), TRIAL));
  }
}
