package io.millrace.testkit.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.driver.Capabilities;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import io.millrace.testkit.internal.driver.Node;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Probing, opening and closing. */
interface LifecycleContract extends DriverUnderTest {
  /** Number of opens and closes; no open may leave a descriptor behind. */
  int REOPENINGS = 100;

  @Test
  default void shouldProbeAsAvailableWithUsableCapabilities() {
    DriverAvailability.Available available =
        assertInstanceOf(DriverAvailability.Available.class, provider().probe());
    assertUsable(available.capabilities());
  }

  @Test
  default void shouldHaveNameAndFamily() {
    assertFalse(provider().name().isBlank());
    assertFalse(provider().family().isBlank());
  }

  @Test
  default void shouldOpenWithUsableCapabilities() throws DriverException {
    try (Endpoint endpoint = open()) {
      assertUsable(endpoint.capabilities());
      assertEquals(endpoint.capabilities(), endpoint.capabilities());
      assertTrue(endpoint.capabilities().maxDatagramBytes() <= settings().maxDatagramBytes());
      assertEquals(endpoint.capabilities().oneSided(), endpoint.remoteMemory() != null);
      assertNotNull(endpoint.notices());
      SendBuffer buffer = endpoint.acquireSendBuffer();
      assertNotNull(buffer);
      assertTrue(buffer.capacity() >= endpoint.capabilities().maxTrainBytes());
    }
  }

  private static void assertUsable(Capabilities capabilities) {
    assertTrue(capabilities.maxDatagramBytes() > 0, capabilities::toString);
    assertTrue(capabilities.maxTrainPackets() > 0, capabilities::toString);
    assertTrue(
        capabilities.maxTrainBytes() >= capabilities.maxDatagramBytes(), capabilities::toString);
    assertTrue(
        !capabilities.segmentationOffload() || capabilities.maxTrainPackets() > 1,
        capabilities::toString);
  }

  @Test
  default void shouldNameOneFamilyInTheAddressesOfAllEndpoints() throws DriverException {
    try (Endpoint endpoint = open();
        Endpoint other = open()) {
      assertFalse(endpoint.localAddress().family().isBlank());
      assertEquals(endpoint.localAddress().family(), other.localAddress().family());
      assertEquals(endpoint.localAddress(), endpoint.localAddress());
      assertTrue(endpoint.localAddress().bytes().length > 0);
    }
  }

  @Test
  default void shouldCloseTwice() throws DriverException {
    Endpoint endpoint = open();
    endpoint.close();
    endpoint.close();
  }

  @Test
  default void shouldCloseWithTrainsPosted() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      sender.post(destination, 1, 100, 100, 1);
      sender.endpoint().close();
    }
  }

  @Test
  default void shouldNotLeakDescriptors() throws DriverException {
    assumeTrue(openDescriptors() >= 0, "this system does not count descriptors");
    reopen(10);
    long before = openDescriptors();
    reopen(REOPENINGS);
    // The JVM itself may open a few files meanwhile, to load classes.
    long leaked = openDescriptors() - before;
    assertTrue(leaked < REOPENINGS / 4, () -> "descriptors left open: " + leaked);
  }

  private void reopen(int times) throws DriverException {
    for (int i = 0; i < times; i++) {
      try (Node sender = new Node(open());
          Node receiver = new Node(open())) {
        int destination = sender.resolve(receiver);
        sender.post(destination, i, 10, 10, i);
        sender.turn();
      }
    }
  }

  private static long openDescriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : -1;
  }

  @Test
  default void shouldSayWhichPortIsInUse() throws DriverException {
    assumeTrue(usesPorts(), "endpoints of this driver have no ports");
    try (Endpoint first = open()) {
      byte[] address = first.localAddress().bytes();
      int port = ByteBuffer.wrap(address).getShort(address.length - 2) & 0xFFFF;
      InetAddress host = bindAddress().getAddress();
      DriverException e =
          assertThrows(
              DriverException.class, () -> openOn(new InetSocketAddress(host, port)).close());
      assertEquals("port " + port + " on " + host.getHostAddress() + " is in use", e.getMessage());
    }
  }

  @Test
  default void shouldRefuseAddressOfAnotherHost() throws UnknownHostException {
    assumeTrue(usesPorts(), "endpoints of this driver have no ports");
    InetAddress documentation = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
    DriverException e =
        assertThrows(
            DriverException.class, () -> openOn(new InetSocketAddress(documentation, 0)).close());
    assertTrue(String.valueOf(e.getMessage()).contains("192.0.2.1"), e::toString);
  }

  @Test
  default void shouldRefuseUnresolvedHostName() {
    DriverException e =
        assertThrows(
            DriverException.class,
            () -> openOn(InetSocketAddress.createUnresolved("nowhere.invalid", 0)).close());
    assertTrue(String.valueOf(e.getMessage()).contains("nowhere.invalid"), e::toString);
  }

  @Test
  default void shouldRefuseToHaveNoSendBuffers() {
    EndpointSettings given = settings();
    EndpointSettings none =
        new EndpointSettings(
            given.bindAddress(),
            given.receiveBufferBytes(),
            given.sendBufferBytes(),
            given.maxDatagramBytes(),
            0,
            given.maxTrainPackets(),
            given.ecn(),
            given.connectedSockets(),
            1,
            given.notReady());
    assertThrows(DriverException.class, () -> provider().open(none).close());
  }

  private Endpoint openOn(InetSocketAddress address) throws DriverException {
    EndpointSettings given = settings();
    return provider()
        .open(
            new EndpointSettings(
                address,
                given.receiveBufferBytes(),
                given.sendBufferBytes(),
                given.maxDatagramBytes(),
                given.sendBuffers(),
                given.maxTrainPackets(),
                given.ecn(),
                given.connectedSockets(),
                1,
                given.notReady()));
  }
}
