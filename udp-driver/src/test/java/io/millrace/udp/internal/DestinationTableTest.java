package io.millrace.udp.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class DestinationTableTest {
  private final DestinationTable table = new DestinationTable();
  private final InetSocketAddress address =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7_400);

  @Test
  void shouldFillUpAndSaySo() throws DriverException {
    for (int i = 0; i < DestinationTable.MAX_DESTINATIONS; i++) {
      assertEquals(i, table.add(address, 1_000 + i));
    }
    assertThrows(DriverException.class, () -> table.add(address, 1));
    for (int i = 0; i < DestinationTable.MAX_DESTINATIONS; i++) {
      assertEquals(1_000 + i, table.pathMaxBytes(i));
    }
    table.remove(4_711);
    assertEquals(4_711, table.add(address, 1));
  }

  @Test
  void shouldForgetOnce() throws DriverException {
    int first = table.add(address, 1);
    table.remove(first);
    table.remove(first);
    table.remove(-1);
    table.remove(99);
    assertFalse(table.contains(first));
    assertThrows(IllegalArgumentException.class, () -> table.address(first));
    assertThrows(IllegalArgumentException.class, () -> table.pathMaxBytes(first));
    int second = table.add(address, 1);
    int third = table.add(address, 1);
    assertTrue(second != third);
  }

  @Test
  void shouldOnlyLowerPathMaximum() throws DriverException {
    int destination = table.add(address, 1_400);
    assertFalse(table.lowerPathMax(destination, 9_000));
    assertFalse(table.lowerPathMax(destination, 1_400));
    assertTrue(table.lowerPathMax(destination, 1_200));
    assertEquals(1_200, table.pathMaxBytes(destination));
  }
}
