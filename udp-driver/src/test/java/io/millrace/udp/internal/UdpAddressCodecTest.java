package io.millrace.udp.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class UdpAddressCodecTest {
  private static final InetAddress IPV4 = ip("7f000001");
  private static final InetAddress IPV6 = ip("00000000000000000000000000000001");

  @Test
  void shouldWriteAddressThenPortInNetworkOrder() {
    EndpointAddress address = UdpAddressCodec.encode(new InetSocketAddress(ip("0a010203"), 0xABCD));
    assertEquals("udp", address.family());
    assertArrayEquals(HexFormat.of().parseHex("0a010203abcd"), address.bytes());
  }

  @Test
  void shouldReadWhatItWrote() throws DriverException {
    InetSocketAddress ipv4 = new InetSocketAddress(ip("c0a80107"), 65_535);
    assertEquals(ipv4, UdpAddressCodec.decode(UdpAddressCodec.encode(ipv4), IPV4));
    InetSocketAddress ipv6 = new InetSocketAddress(ip("20010db8000000000000000000000007"), 1);
    assertEquals(ipv6, UdpAddressCodec.decode(UdpAddressCodec.encode(ipv6), IPV6));
  }

  @Test
  void shouldGiveLinkLocalAddressTheScopeOfTheSocket() throws Exception {
    byte[] linkLocal = HexFormat.of().parseHex("fe80000000000000000000000000000a");
    Inet6Address local = Inet6Address.getByAddress(null, linkLocal, 4);
    EndpointAddress remote = udp("fe80000000000000000000000000000b1234");
    InetSocketAddress decoded = UdpAddressCodec.decode(remote, local);
    assertEquals(4, assertInstanceOf(Inet6Address.class, decoded.getAddress()).getScopeId());
  }

  @Test
  void shouldKeepMappedAddressAnIpv6Address() throws DriverException {
    EndpointAddress mapped = udp("00000000000000000000ffff7f0000011234");
    assertInstanceOf(Inet6Address.class, UdpAddressCodec.decode(mapped, IPV6).getAddress());
  }

  @Test
  void shouldRefuseEveryOtherLength() {
    for (int length = 0; length < 40; length++) {
      EndpointAddress address = new EndpointAddress("udp", new byte[length]);
      DriverException e =
          assertThrows(DriverException.class, () -> UdpAddressCodec.decode(address, IPV4));
      assertTrue(String.valueOf(e.getMessage()).contains("address"), e::toString);
    }
  }

  @Test
  void shouldRefusePortZeroOtherFamilyAndOtherVersion() {
    refuse(udp("7f0000010000"), IPV4, "port 0");
    refuse(udp("7f0000010001"), IPV6, "another IP version");
    refuse(udp("000000000000000000000000000000010001"), IPV4, "another IP version");
    refuse(new EndpointAddress("fabric", new byte[6]), IPV4, "not of the family udp");
  }

  private static void refuse(EndpointAddress address, InetAddress local, String reason) {
    DriverException e =
        assertThrows(DriverException.class, () -> UdpAddressCodec.decode(address, local));
    assertTrue(String.valueOf(e.getMessage()).contains(reason), e::toString);
  }

  private static EndpointAddress udp(String hex) {
    return new EndpointAddress("udp", HexFormat.of().parseHex(hex));
  }

  private static InetAddress ip(String hex) {
    try {
      return InetAddress.getByAddress(HexFormat.of().parseHex(hex));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
