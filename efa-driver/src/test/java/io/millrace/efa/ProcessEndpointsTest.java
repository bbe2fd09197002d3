package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The close of endpoints of one process with shared memory. */
class ProcessEndpointsTest {
  private static final EndpointAddress LEFT = address(1);
  private static final EndpointAddress RIGHT = address(2);
  private static final EndpointAddress THIRD = address(3);

  private final ProcessEndpoints endpoints = new ProcessEndpoints(SharedMemoryFiles.OF_PROCESS);
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

  private void close(EndpointAddress address, String name) {
    endpoints.onClosed(address, () -> calls.add("close " + name));
  }

  @Test
  void shouldKeepTheMemoryOfAClosedEndpointUntilNobodyKnowsIt() throws DriverException {
    insert(RIGHT, LEFT);
    insert(THIRD, LEFT);
    assertFalse(endpoints.hasClosed(LEFT));
    close(LEFT, "left");
    assertTrue(endpoints.hasClosed(LEFT));
    assertEquals(1, endpoints.kept());
    endpoints.onAllForgotten(RIGHT);
    assertEquals(List.of(), calls);
    endpoints.onAllForgotten(THIRD);
    assertEquals(List.of("close left"), calls);
    assertEquals(0, endpoints.kept());
  }

  @Test
  void shouldKeepTheMemoryOfASenderUntilTheAddressedEndpointForgetsIt() throws DriverException {
    insert(LEFT, RIGHT);
    endpoints.onAllForgotten(LEFT);
    close(LEFT, "left");
    assertEquals(List.of(), calls);
    endpoints.onAllForgotten(RIGHT);
    assertEquals(List.of("close left"), calls);
  }

  @Test
  void shouldCloseTwoThatKnowEachOther() throws DriverException {
    insert(LEFT, RIGHT);
    insert(RIGHT, LEFT);
    endpoints.onAllForgotten(LEFT);
    close(LEFT, "left");
    assertEquals(List.of(), calls);
    endpoints.onAllForgotten(RIGHT);
    assertEquals(List.of("close left"), calls);
    close(RIGHT, "right");
    assertEquals(List.of("close left", "close right"), calls);
  }

  @Test
  void shouldInsertNoAddressOfAnEndpointThatHasClosed() throws DriverException {
    insert(RIGHT, LEFT);
    close(LEFT, "left");
    assertThrows(DriverException.class, () -> insert(THIRD, LEFT));
    endpoints.onAllForgotten(RIGHT);
    assertEquals(List.of("close left"), calls);
  }

  @Test
  void shouldNeverInsertAnAddressOfThisProcessWithoutItsEndpoint() {
    long pid = ProcessHandle.current().pid();
    for (String name : List.of("fi_shm://" + pid + ":0:7\0", "fi_shm://" + pid + ":0:7")) {
      EndpointAddress gone =
          new EndpointAddress("fabric:shm", name.getBytes(StandardCharsets.US_ASCII));
      assertThrows(DriverException.class, () -> insert(LEFT, gone));
    }
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
