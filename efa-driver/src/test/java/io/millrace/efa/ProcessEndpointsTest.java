package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The close of endpoints of one process with shared memory. */
class ProcessEndpointsTest {
  private static final EndpointAddress LEFT = address(1);
  private static final EndpointAddress RIGHT = address(2);
  private static final EndpointAddress THIRD = address(3);

  private final ProcessEndpoints endpoints = new ProcessEndpoints();
  private final List<String> calls = new ArrayList<>();

  @BeforeEach
  void open() {
    List.of(LEFT, RIGHT, THIRD).forEach(endpoints::onOpened);
  }

  private static EndpointAddress address(int number) {
    return new EndpointAddress("fabric:shm", new byte[] {(byte) number});
  }

  private void insert(EndpointAddress self, EndpointAddress address) throws DriverException {
    assertEquals(7, endpoints.onInserted(self, address, () -> 7));
  }

  private void forget(EndpointAddress self, EndpointAddress address) {
    endpoints.onForgotten(self, address, () -> calls.add("remove"));
  }

  private void close(EndpointAddress address, String name) {
    endpoints.onClosed(address, () -> calls.add("close " + name));
  }

  @Test
  void shouldKeepTheMemoryOfAClosedEndpointUntilNobodyKnowsIt() throws DriverException {
    insert(RIGHT, LEFT);
    insert(THIRD, LEFT);
    close(LEFT, "left");
    assertEquals(1, endpoints.kept());
    assertEquals(List.of(LEFT), endpoints.closedFor(RIGHT));
    forget(RIGHT, LEFT);
    assertEquals(List.of(), endpoints.closedFor(RIGHT));
    assertEquals(List.of("remove"), calls);
    forget(THIRD, LEFT);
    assertEquals(List.of("remove", "remove", "close left"), calls);
    assertEquals(0, endpoints.kept());
  }

  @Test
  void shouldKeepTheMemoryOfASenderUntilTheAddressedEndpointForgetsIt() throws DriverException {
    insert(LEFT, RIGHT);
    forget(LEFT, RIGHT);
    close(LEFT, "left");
    assertEquals(List.of("remove"), calls);
    forget(RIGHT, LEFT);
    assertEquals(List.of("remove", "remove", "close left"), calls);
  }

  @Test
  void shouldCloseTwoThatKnowEachOther() throws DriverException {
    insert(LEFT, RIGHT);
    insert(RIGHT, LEFT);
    assertEquals(List.of(RIGHT), endpoints.known(LEFT));
    forget(LEFT, RIGHT);
    close(LEFT, "left");
    forget(RIGHT, LEFT);
    close(RIGHT, "right");
    assertEquals(List.of("remove", "remove", "close left", "close right"), calls);
  }

  @Test
  void shouldInsertNoAddressOfAnEndpointThatHasClosed() throws DriverException {
    insert(RIGHT, LEFT);
    close(LEFT, "left");
    assertThrows(DriverException.class, () -> insert(THIRD, LEFT));
    forget(RIGHT, LEFT);
    assertEquals(List.of("remove", "close left"), calls);
  }

  @Test
  void shouldNotCountAnAddressThatTheProviderRefused() throws DriverException {
    assertEquals(-22, endpoints.onInserted(RIGHT, LEFT, () -> -22));
    close(LEFT, "left");
    assertEquals(List.of("close left"), calls);
  }

  @Test
  void shouldWaitForNobodyWhenAnEndpointSendsToItself() throws DriverException {
    insert(LEFT, LEFT);
    close(LEFT, "left");
    assertEquals(List.of("close left"), calls);
  }

  @Test
  void shouldCloseAtOnceWhereNoMemoryIsShared() throws DriverException {
    EndpointAddress remote = address(4);
    insert(remote, LEFT);
    close(remote, "remote");
    assertEquals(List.of("close remote"), calls);
  }
}
