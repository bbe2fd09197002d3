package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.NotReadySettings;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricInfo;
import io.millrace.efa.ofi.FabricLimits;
import io.millrace.efa.ofi.MemoryMode;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The demands of the fabric efa-direct, which no device here has. */
class EfaDirectTest {
  private static final int CONTEXT_BYTES = 64;
  private static final String DIRECT = FabricInfo.EFA_DIRECT;

  /** The limit of a one-sided write. */
  private static final long LARGEST_BYTES = 1 << 30;

  /** The limit of a message. */
  private static final int LINK_BYTES = 8_928;

  private static FabricInfo info(int memoryBits) {
    return info(DIRECT, memoryBits);
  }

  private static FabricInfo info(String fabric, int memoryBits) {
    return new FabricInfo(
        1,
        "efa",
        fabric,
        FabricConstants.FI_CONTEXT2,
        FabricConstants.FI_ADDR_EFA,
        FabricLimits.of(fabric, 8, 8, LARGEST_BYTES, LINK_BYTES),
        new MemoryMode(memoryBits, 4, 4));
  }

  private static EndpointSizes sizes(String fabric, int datagramBytes) throws DriverException {
    EndpointSettings settings =
        new EndpointSettings(
            new InetSocketAddress(0),
            1 << 20,
            1 << 20,
            datagramBytes,
            4,
            8,
            false,
            0,
            1,
            NotReadySettings.DEFAULTS);
    return EndpointSizes.of(info(fabric, 0), settings);
  }

  private static FakeEndpoint open(int memoryBits) throws DriverException {
    return new FakeEndpoint(info(memoryBits));
  }

  /** Posts a datagram and a write, after the receives of the opening. */
  private static void postAll(FakeEndpoint fake, Arena arena) throws DriverException {
    int peer = fake.destination();
    MemoryRegion region =
        Objects.requireNonNull(fake.endpoint.remoteMemory()).register(arena.allocate(1_000), true);
    SendBuffer buffer = Objects.requireNonNull(fake.endpoint.acquireSendBuffer());
    fake.endpoint.postSend(peer, buffer, 100, 100, 1);
    fake.endpoint.flush();
    RemoteWrite write = new RemoteWrite().source(region, 0, 10).target(0, 1);
    assertTrue(fake.endpoint.remoteMemory().postWrite(peer, write, 2));
  }

  @Test
  void shouldNameAMemoryDescriptorInEveryOperation() throws DriverException {
    try (Arena arena = Arena.ofShared();
        FakeEndpoint fake = open(FabricConstants.FI_MR_LOCAL)) {
      postAll(fake, arena);
      assertFalse(fake.verbs.descriptors.contains(0L), fake.verbs.descriptors.toString());
      assertEquals(3, fake.verbs.descriptors.size());
    }
  }

  @Test
  void shouldNameNoDescriptorsOfPacketsWhereTheProviderWantsNone() throws DriverException {
    try (Arena arena = Arena.ofShared();
        FakeEndpoint fake = open(0)) {
      postAll(fake, arena);
      assertTrue(fake.verbs.descriptors.contains(0L), fake.verbs.descriptors.toString());
    }
  }

  @Test
  void shouldGiveEachOperationAContextOfItsOwn() throws DriverException {
    try (Arena arena = Arena.ofShared();
        FakeEndpoint fake = open(FabricConstants.FI_MR_LOCAL)) {
      postAll(fake, arena);
      Set<Long> contexts = new HashSet<>(fake.verbs.receives);
      contexts.add(fake.verbs.sent.getFirst().context());
      contexts.addAll(fake.verbs.writes);
      int operations = fake.verbs.receives.size() + 2;
      assertEquals(operations, contexts.size());
      for (long context : contexts) {
        assertTrue(
            contexts.stream()
                .allMatch(other -> other == context || Math.abs(other - context) >= CONTEXT_BYTES));
      }
    }
  }

  @Test
  void shouldBoundDatagramsByTheMessagesOfTheDevice() throws DriverException {
    assertEquals(LINK_BYTES, sizes(DIRECT, 8_972).datagramBytes());
    assertEquals(LINK_BYTES, sizes(DIRECT, 65_507).datagramBytes());
    assertEquals(1_200, sizes(DIRECT, 1_200).datagramBytes());
  }

  @Test
  void shouldNotBoundDatagramsThatTheFabricEfaSendsInParts() throws DriverException {
    assertEquals(65_507, sizes("efa", 65_507).datagramBytes());
  }

  @Test
  void shouldNotBoundWritesByTheMessagesOfTheDevice() throws DriverException {
    assertEquals(1 << 20, sizes(DIRECT, 8_972).writeBytes());
  }

  @Test
  void shouldHaveAFamilyOfItsOwn() {
    FabricGrant direct = new FabricGrant(info(0), true);
    assertEquals("efa-direct", new FabricProvider("efa", "efa").familyOn(direct));
    assertEquals("fabric:efa-direct", new FabricProvider("fabric:efa", "efa").familyOn(direct));
    FabricGrant other = new FabricGrant(FakeLibrary.INFO, true);
    assertEquals("fabric:efa", new FabricProvider("fabric:efa", "efa").familyOn(other));
    assertEquals(DIRECT, ProviderTraits.of("efa").preferredFabric());
  }
}
