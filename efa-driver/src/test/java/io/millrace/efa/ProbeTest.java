package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointSettings;
import io.millrace.efa.ofi.LibFabricLoader;
import io.millrace.testkit.driver.NeedsDriver;
import io.millrace.testkit.internal.driver.NeededDriver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The reports about available and missing drivers. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ProbeTest {
  private static String reason(DriverProvider provider) {
    return assertInstanceOf(DriverAvailability.Unavailable.class, provider.probe()).reason();
  }

  private static String reasonWithLibrary(String library) {
    String before = System.getProperty(LibFabricLoader.LIBRARY_PROPERTY);
    System.setProperty(LibFabricLoader.LIBRARY_PROPERTY, library);
    try {
      return reason(FabricDrivers.provider("sockets"));
    } finally {
      if (before == null) {
        System.clearProperty(LibFabricLoader.LIBRARY_PROPERTY);
      } else {
        System.setProperty(LibFabricLoader.LIBRARY_PROPERTY, before);
      }
    }
  }

  @Test
  void shouldNameTheLibraryThatIsMissing() {
    String reason = reasonWithLibrary("libnosuchfabric.so.9");
    assertTrue(reason.contains("libnosuchfabric.so.9") && reason.contains("install"), reason);
  }

  @Test
  void shouldSayWhenTheLibraryIsAnotherOne() {
    Path another = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("java"));
    String reason = reasonWithLibrary(another.toString());
    assertTrue(reason.contains("is not a libfabric"), reason);
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldNameTheProviderThatIsMissing() {
    String reason = reason(FabricDrivers.provider("nonesuch"));
    assertTrue(reason.contains("no provider nonesuch") && reason.contains("-61"), reason);
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldSayThatThereIsNoDevice() {
    DriverProvider efa = new FabricProvider();
    if (efa.probe() instanceof DriverAvailability.Unavailable) {
      assertTrue(reason(efa).contains("no EFA device"), reason(efa));
      DriverException e = assertThrows(DriverException.class, () -> efa.open(Peer.settings()));
      assertTrue(e.toString().contains("efa cannot be opened"), e.toString());
    }
  }

  @Test
  void shouldKnowTheFamiliesThatShareMemory() {
    for (String family : List.of("efa", "fabric:efa", "fabric:shm@0a1b2c3d")) {
      assertTrue(FabricProvider.sharesMemory(family), family);
    }
    for (String family : List.of("efa-direct", "fabric:efa-direct", "fabric:tcp", "udp")) {
      assertFalse(FabricProvider.sharesMemory(family), family);
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldNameTheHostInTheFamilyOfSharedMemory() throws DriverException {
    try (Peer peer = Peer.open("shm")) {
      String family = peer.endpoint.localAddress().family();
      assertEquals("fabric:shm@" + SharedMemoryHost.id(), family);
      assertEquals(FabricDrivers.provider("shm").family(), family);
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldProbeTheSameCapabilitiesThatEndpointsHave() throws DriverException {
    DriverAvailability.Available available =
        assertInstanceOf(
            DriverAvailability.Available.class, FabricDrivers.provider("sockets").probe());
    try (Peer peer = Peer.open("sockets")) {
      assertEquals(available.capabilities(), peer.endpoint.capabilities());
    }
    assertTrue(available.capabilities().oneSided());
  }

  @Test
  void shouldBeFoundByServiceLoaderAndAnswerForEveryProvider() {
    DriverProvider efa =
        ServiceLoader.load(DriverProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("efa"))
            .findFirst()
            .orElseThrow();
    assertEquals(efa, efa.named("efa"));
    assertEquals("fabric:tcp", Objects.requireNonNull(efa.named("fabric:tcp")).name());
    assertEquals("fabric:tcp", Objects.requireNonNull(efa.named("fabric:tcp")).family());
    assertNull(efa.named("fabric:"));
    assertNull(efa.named("udp"));
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldReportWhatCouldNotBeHonoured() throws DriverException {
    EndpointSettings given = Peer.settings();
    EndpointSettings wanting =
        new EndpointSettings(
            given.bindAddress(),
            100 << 20,
            1 << 20,
            9_000,
            4,
            8,
            true,
            given.connectedSockets(),
            1,
            given.notReady());
    try (Peer peer = Peer.open("sockets", wanting)) {
      String told = peer.endpoint.notices().degraded().toString();
      assertTrue(told.contains("ecn:") && told.contains("receiveBufferBytes:"), told);
    }
    EndpointSettings modest =
        new EndpointSettings(
            given.bindAddress(),
            900_000,
            1 << 20,
            9_000,
            4,
            8,
            false,
            given.connectedSockets(),
            1,
            given.notReady());
    try (Peer peer = Peer.open("sockets", modest)) {
      assertEquals(0, peer.endpoint.notices().degraded().size());
      assertEquals(100, peer.endpoint.postedReceives());
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldTellFactsOfTheGrantWithoutAddressesOfTheHost() {
    Map<String, String> facts = FabricDrivers.provider("sockets").facts();
    assertTrue(
        facts.getOrDefault("library", "").matches("libfabric [12]\\.\\d+"), facts.toString());
    assertEquals("sockets", facts.get("provider"));
    assertEquals("manual", facts.get("data_progress"));
    assertEquals("domain", facts.get("threading"));
    assertEquals("none", facts.get("mr_mode"));
    assertTrue(Integer.parseInt(facts.getOrDefault("inject_bytes", "0")) >= 64, facts.toString());
    assertFalse(facts.toString().matches(".*\\d+\\.\\d+\\.\\d+\\.\\d+.*"), facts.toString());
    assertEquals(
        Set.of("library"), FabricDrivers.provider("nonesuch").facts().keySet(), "no grant");
  }

  @Test
  void shouldFailRatherThanSkipWhereTheProviderIsRequired() {
    assertTrue(NeededDriver.evaluate("fabric:nonesuch", "this test", false).isDisabled());
    assertThrows(
        AssertionError.class, () -> NeededDriver.evaluate("fabric:nonesuch", "this test", true));
  }
}
