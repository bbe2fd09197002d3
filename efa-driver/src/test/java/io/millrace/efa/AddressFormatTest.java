package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.testkit.driver.NeedsDriver;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressFormatTest {
  private static final String FAMILY = "fabric:test";

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static void assertRefuses(AddressFormat format, byte[]... malformed) {
    for (byte[] bytes : malformed) {
      EndpointAddress address = new EndpointAddress(FAMILY, bytes);
      assertThrows(DriverException.class, () -> format.toProvider(address), address::toString);
    }
  }

  @Test
  void shouldCarryIpv4AddressAndPortInNetworkOrder() throws DriverException {
    byte[] local = hex("02001F907F0000010000000000000000");
    AddressFormat format = new AddressFormat(FAMILY, FabricConstants.FI_SOCKADDR_IN, local);
    assertEquals(new EndpointAddress(FAMILY, hex("7F0000011F90")), format.localAddress());
    assertArrayEquals(local, format.toProvider(format.localAddress()));
    assertArrayEquals(
        hex("020000500A0102030000000000000000"),
        format.toProvider(new EndpointAddress(FAMILY, hex("0A0102030050"))));
    assertRefuses(format, new byte[0], new byte[5], new byte[18], hex("0A0102030000"));
  }

  @Test
  void shouldCarryIpv6AddressAndPort() throws DriverException {
    byte[] local = hex("0A001F90" + "00000000" + "00000000000000000000000000000001" + "00000000");
    AddressFormat format = new AddressFormat(FAMILY, FabricConstants.FI_SOCKADDR_IN6, local);
    EndpointAddress address = format.localAddress();
    assertEquals(
        new EndpointAddress(FAMILY, hex("00000000000000000000000000000001" + "1F90")), address);
    assertArrayEquals(local, format.toProvider(address));
    assertRefuses(format, new byte[6], new byte[17], new byte[28]);
  }

  @Test
  void shouldTakeOnlyTerminatedStrings() throws DriverException {
    byte[] local = "fi_shm://7:0:0\0".getBytes(StandardCharsets.US_ASCII);
    AddressFormat format = new AddressFormat(FAMILY, FabricConstants.FI_ADDR_STR, local);
    assertArrayEquals(local, format.toProvider(format.localAddress()));
    assertRefuses(format, new byte[0], new byte[1], hex("414243"), new byte[257]);
  }

  @Test
  void shouldTakeOnlyWholeDeviceAddresses() throws DriverException {
    AddressFormat format = new AddressFormat(FAMILY, FabricConstants.FI_ADDR_EFA, new byte[32]);
    assertArrayEquals(new byte[32], format.toProvider(format.localAddress()));
    assertRefuses(format, new byte[0], new byte[31], new byte[33]);
  }

  @Test
  void shouldRefuseAnotherFamily() throws DriverException {
    AddressFormat format = new AddressFormat(FAMILY, 0, new byte[4]);
    for (String family : List.of("udp", "fabric:tests", "")) {
      EndpointAddress foreign = new EndpointAddress(family, new byte[4]);
      assertThrows(DriverException.class, () -> format.toProvider(foreign));
    }
  }

  /** Lengths from 0 to beyond the longest address of a provider, each with three contents. */
  private static void forEachForeign(Consumer<byte[]> each) {
    Random random = new Random(49);
    for (int length = 0; length <= 300; length++) {
      each.accept(new byte[length]);
      byte[] full = new byte[length];
      Arrays.fill(full, (byte) 'A');
      each.accept(full);
      byte[] any = new byte[length];
      random.nextBytes(any);
      each.accept(any);
    }
  }

  @ParameterizedTest
  @CsvSource({"2,16", "3,28", "9,18", "12,32", "99,24"})
  void shouldHandAtLeastTheProvidersOwnLengthToTheProvider(int formatNumber, int ownBytes)
      throws DriverException {
    byte[] own = new byte[ownBytes];
    if (formatNumber == FabricConstants.FI_ADDR_STR) {
      own = "fi_shm://123:0:0\0\0".getBytes(StandardCharsets.US_ASCII);
    }
    AddressFormat format = new AddressFormat(FAMILY, formatNumber, own);
    FakeLibrary library = new FakeLibrary();
    PeerHolds holds = new PeerHolds(NotReadySettings.DEFAULTS, new SplittableRandom(1));
    Destinations destinations =
        new Destinations(new AddressVector(library, 1, format, null, new EndpointHealth()), holds);
    forEachForeign(
        bytes -> {
          try {
            destinations.resolve(new EndpointAddress(FAMILY, bytes));
          } catch (DriverException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("not an address"), e.toString());
          }
        });
    boolean isString = formatNumber == FabricConstants.FI_ADDR_STR;
    for (byte[] given : library.inserted) {
      assertTrue(
          isString ? given[given.length - 1] == 0 : given.length == ownBytes,
          () -> "the provider got " + HexFormat.of().formatHex(given));
    }
    assertEquals(isString, library.inserted.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fi_shm://\0",
        "fi_shm://1\0002\0",
        "fi_shm://1 2\0",
        "fi_shn://1:0:0\0",
        "fi_shm://7\0",
        "fi_shm://1:0\0",
        "fi_shm://1:0:0:0\0",
        "fi_shm://1:0:0x\0",
        "fi_shm://notes\0",
        "\0\0",
        "fi_shm\0"
      })
  void shouldTakeOnlyOneNameOfTheOwnScheme(String text) throws DriverException {
    byte[] local = "fi_shm://7:0:0\0".getBytes(StandardCharsets.US_ASCII);
    AddressFormat format = new AddressFormat(FAMILY, FabricConstants.FI_ADDR_STR, local);
    assertRefuses(format, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void shouldRefuseOwnAddressShorterThanItsFormat() {
    for (int length = 0; length < 8; length++) {
      byte[] own = new byte[length];
      assertThrows(
          DriverException.class,
          () -> new AddressFormat(FAMILY, FabricConstants.FI_SOCKADDR_IN, own));
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldRefuseOrResolveEveryLengthWithSockets() throws DriverException {
    assertRefusesOrResolves("sockets");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldRefuseOrResolveEveryLengthWithTcp() throws DriverException {
    assertRefusesOrResolves("tcp");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldRefuseOrResolveEveryLengthWithSharedMemory() throws DriverException {
    assertRefusesOrResolves("shm");
  }

  private static void assertRefusesOrResolves(String provider) throws DriverException {
    try (Peer peer = Peer.open(provider)) {
      int[] resolved = new int[1];
      forEachForeign(
          bytes -> {
            try {
              peer.endpoint.release(peer.resolve(bytes));
              resolved[0]++;
            } catch (DriverException e) {
              assertTrue(e.toString().contains("address"), e.toString());
            }
          });
      assertTrue(resolved[0] <= 2, "addresses resolved: " + resolved[0]);
    }
  }
}
