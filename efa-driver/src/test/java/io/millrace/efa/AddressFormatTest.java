package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.efa.ofi.FabricConstants;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

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
    byte[] local = "fi_shm://7\0".getBytes(StandardCharsets.US_ASCII);
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
  void shouldRefuseAnotherFamily() {
    AddressFormat format = new AddressFormat(FAMILY, 0, new byte[4]);
    for (String family : List.of("udp", "fabric:tests", "")) {
      EndpointAddress foreign = new EndpointAddress(family, new byte[4]);
      assertThrows(DriverException.class, () -> format.toProvider(foreign));
    }
  }
}
