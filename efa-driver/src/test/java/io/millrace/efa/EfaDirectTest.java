package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricInfo;
import io.millrace.efa.ofi.FabricLimits;
import io.millrace.efa.ofi.MemoryMode;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The demands of the fabric efa-direct, which no device here has. */
class EfaDirectTest {
  private static final int CONTEXT_BYTES = 64;

  private static FabricInfo info(int memoryBits) {
    return new FabricInfo(
        1,
        "efa",
        ProviderTraits.EFA_DIRECT,
        FabricConstants.FI_CONTEXT2,
        0,
        new FabricLimits(8, 8, 8_760),
        new MemoryMode(memoryBits, 4, 4));
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
  void shouldHaveAFamilyOfItsOwn() {
    assertTrue(new FabricGrant(info(0), true).isDirect());
    assertFalse(new FabricGrant(FakeLibrary.INFO, true).isDirect());
    assertEquals(ProviderTraits.EFA_DIRECT, ProviderTraits.of("efa").preferredFabric());
  }
}
