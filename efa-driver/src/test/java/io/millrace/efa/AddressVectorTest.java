package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The provider's addresses where memory is shared. */
class AddressVectorTest {
  private static final String FAMILY = "fabric:shm";

  private final FakeLibrary library = new FakeLibrary();
  private final EndpointHealth health = new EndpointHealth();
  private AddressVector addresses;

  @BeforeEach
  void open() throws DriverException {
    AddressFormat format =
        new AddressFormat(FAMILY, FabricConstants.FI_ADDR_STR, address(0).bytes());
    addresses = new AddressVector(library, 1, format, new ProcessEndpoints(), health);
  }

  /** The address of a process that does not exist: no process has a number above 2^22. */
  private static EndpointAddress address(int number) {
    String text = "fi_shm://" + (900_000_000 + number) + ":0:0\0";
    return new EndpointAddress(FAMILY, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void shouldKeepAnUnusedAddressUntilTheEndpointCloses() throws DriverException {
    AddressVector.Entry entry = addresses.acquire(address(1));
    addresses.release(entry);
    assertEquals(entry, addresses.acquire(address(1)));
    addresses.close();
    assertEquals(List.of("insert"), library.calls);
  }

  @Test
  void shouldRefuseMorePeersThanTheProviderHolds() throws DriverException {
    for (int i = 1; i <= AddressVector.MAX_SHARED; i++) {
      addresses.release(addresses.acquire(address(i)));
    }
    for (int i = 0; i < AddressVector.MAX_REFUSED; i++) {
      int number = AddressVector.MAX_SHARED + 1 + i;
      assertThrows(DriverException.class, () -> addresses.acquire(address(number)));
      assertThrows(DriverException.class, () -> addresses.acquire(address(number)));
    }
    assertEquals(AddressVector.MAX_SHARED, library.calls.size());
    addresses.acquire(address(1));
    assertTrue(health.isUp() && health.mayPoll(), "known peers are served");
    assertThrows(DriverException.class, () -> addresses.acquire(address(5_000)));
    assertFalse(health.isUp() || health.mayPoll(), "the provider may be out of places");
  }

  @Test
  void shouldKnowThatAPeerIsGone() throws DriverException {
    assertTrue(addresses.isGone(addresses.acquire(address(1))));
  }
}
