package io.millrace.actor.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.node.TransportException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DriverChoiceTest {
  private final List<String> passedOver = new ArrayList<>();

  /** A driver that works unless it has a reason not to. */
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
        List.of(found), (driver, reason) -> passedOver.add(driver + ": " + reason));
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
}
