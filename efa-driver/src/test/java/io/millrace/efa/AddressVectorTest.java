package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The provider's addresses where memory is shared. */
class AddressVectorTest {
  private static final String FAMILY = "fabric:shm";

  private final FakeLibrary library = new FakeLibrary();
  private final EndpointHealth health = new EndpointHealth();
  private AddressVector addresses;

  @TempDir Path directory;

  @BeforeEach
  void open() throws IOException, DriverException {
    AddressFormat format =
        new AddressFormat(FAMILY, FabricConstants.FI_ADDR_STR, living(0).bytes());
    ProcessEndpoints process = new ProcessEndpoints(new SharedMemoryFiles(directory));
    addresses = new AddressVector(library, 1, format, process, health);
  }

  private static EndpointAddress address(String name) {
    return new EndpointAddress(
        FAMILY, ("fi_shm://" + name + "\0").getBytes(StandardCharsets.US_ASCII));
  }

  /** The address of an endpoint of a process that lives, with a file. */
  private EndpointAddress living(int number) throws IOException {
    String name = "1:0:" + number;
    file(name, SharedMemoryFiles.REGION_BYTES);
    return address(name);
  }

  private void file(String name, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  private void assertRefuses(String reason, EndpointAddress address) {
    DriverException e = assertThrows(DriverException.class, () -> addresses.acquire(address));
    assertTrue(e.toString().contains(reason), e.toString());
  }

  @Test
  void shouldKeepAnUnusedAddressUntilTheEndpointCloses() throws Exception {
    AddressVector.Entry entry = addresses.acquire(living(1));
    addresses.release(entry);
    assertEquals(entry, addresses.acquire(living(1)));
    addresses.close();
    assertEquals(List.of("insert"), library.calls);
  }

  @Test
  void shouldRefuseMorePeersThanTheProviderHolds() throws Exception {
    for (int i = 1; i <= AddressVector.MAX_SHARED; i++) {
      addresses.release(addresses.acquire(living(i)));
    }
    for (int i = 0; i < AddressVector.MAX_REFUSED; i++) {
      EndpointAddress more = living(AddressVector.MAX_SHARED + 1 + i);
      assertRefuses("takes no more", more);
      assertRefuses("takes no more", more);
    }
    assertEquals(AddressVector.MAX_SHARED, library.calls.size());
    addresses.acquire(living(1));
    assertTrue(health.isUp() && health.mayPoll(), "known peers are served");
    assertRefuses("takes no more", living(5_000));
    assertFalse(health.isUp() || health.mayPoll(), "the provider may be out of places");
  }

  @Test
  void shouldKnowThatAPeerIsGone() throws Exception {
    AddressVector.Entry entry = addresses.acquire(living(1));
    assertFalse(addresses.isGone(entry));
    Files.delete(directory.resolve("1:0:1"));
    assertTrue(addresses.isGone(entry));
  }

  @Test
  void shouldHaveNoPlaceForNamesWithoutAnEndpoint() throws Exception {
    for (int i = 0; i < 2 * AddressVector.MAX_SHARED; i++) {
      assertRefuses("is gone", address("1:0:" + (1_000 + i)));
      // no process has a number above 2^22
      String dead = 900_000_000 + i + ":0:0";
      file(dead, SharedMemoryFiles.REGION_BYTES);
      assertRefuses("is gone", address(dead));
    }
    assertTrue(health.isUp());
    assertEquals(List.of(), library.calls);
    addresses.acquire(living(1));
  }

  @Test
  void shouldInsertOnlyTheNamesOfEndpointsFiles() throws Exception {
    file("notes", SharedMemoryFiles.REGION_BYTES);
    assertRefuses("not an address", address("notes"));
    assertRefuses("not an address", address("1:0:../1:0:1"));
    file("1:0:1", SharedMemoryFiles.REGION_BYTES - 1);
    assertRefuses("not an endpoint's file", address("1:0:1"));
    file("big", SharedMemoryFiles.REGION_BYTES);
    Files.createSymbolicLink(directory.resolve("1:0:2"), directory.resolve("big"));
    assertRefuses("not an endpoint's file", address("1:0:2"));
    assertEquals(List.of(), library.calls);
  }
}
