package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The close of endpoints of one process with shared memory. */
class ProcessEndpointsTest {
  private static final EndpointAddress LEFT = address(1);
  private static final EndpointAddress RIGHT = address(2);

  private final ProcessEndpoints endpoints = new ProcessEndpoints();
  private final List<String> calls = new ArrayList<>();

  private static EndpointAddress address(int number) {
    return new EndpointAddress("fabric:shm", new byte[] {(byte) number});
  }

  private void insert(EndpointAddress address) throws DriverException {
    endpoints.onInserted(address, () -> 1);
  }

  private void remove(EndpointAddress address) {
    endpoints.onRemoved(address, () -> calls.add("remove"));
  }

  private void close(EndpointAddress address, String name) {
    endpoints.onClosed(address, () -> calls.add("close " + name));
  }

  @Test
  void shouldKeepTheMemoryOfAClosedEndpointUntilNobodyHasItsAddress() throws DriverException {
    endpoints.onOpened(LEFT);
    insert(LEFT);
    insert(LEFT);
    close(LEFT, "left");
    assertEquals(1, endpoints.kept());
    remove(LEFT);
    assertEquals(List.of("remove"), calls);
    remove(LEFT);
    assertEquals(List.of("remove", "remove", "close left"), calls);
    assertEquals(0, endpoints.kept());
  }

  @Test
  void shouldCloseTwoThatHaveEachOther() throws DriverException {
    endpoints.onOpened(LEFT);
    endpoints.onOpened(RIGHT);
    insert(RIGHT);
    insert(LEFT);
    remove(RIGHT);
    close(LEFT, "left");
    remove(LEFT);
    close(RIGHT, "right");
    assertEquals(List.of("remove", "remove", "close left", "close right"), calls);
  }

  @Test
  void shouldInsertNoAddressOfAnEndpointThatHasClosed() throws DriverException {
    endpoints.onOpened(LEFT);
    insert(LEFT);
    close(LEFT, "left");
    assertThrows(DriverException.class, () -> insert(LEFT));
    remove(LEFT);
    assertEquals(List.of("remove", "close left"), calls);
  }

  @Test
  void shouldNotCountAnAddressThatTheProviderRefused() throws DriverException {
    endpoints.onOpened(LEFT);
    assertEquals(-22, endpoints.onInserted(LEFT, () -> -22));
    close(LEFT, "left");
    assertEquals(List.of("close left"), calls);
  }

  @Test
  void shouldCloseAtOnceWhereNoMemoryIsShared() throws DriverException {
    insert(LEFT);
    close(LEFT, "left");
    assertEquals(List.of("close left"), calls);
    remove(LEFT);
  }
}
