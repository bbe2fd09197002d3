package io.millrace.testkit.internal.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.Endpoint;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.RateSettings;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The effect of the rates of interfaces on messages and writes of a fabric: all traffic waits. */
final class FabricRatesTest {
  private static final FabricSettings IN_ORDER = FabricSettings.DEFAULT.withOvertaking(0, 0);

  /** A byte a microsecond, and a queue too short for every datagram of this test. */
  private static final RateSettings SLOW = RateSettings.of(1_000_000, 1);

  private static final long BYTE_NS = 1_000;
  private static final int BYTES = 1_000;

  private static FabricLab lab(RateSettings egress, RateSettings ingress) throws Exception {
    NicSettings nic = new NicSettings(egress, ingress);
    return new FabricLab(IN_ORDER, NetworkSettings.clean(FabricLab.DELAY_NS).withNic(nic));
  }

  private static void assertBothLandLate(FabricLab lab) {
    lab.write(1, 0, BYTES);
    lab.write(2, BYTES, BYTES);
    lab.runUntil(FabricLab.DELAY_NS + BYTES * BYTE_NS - 1);
    assertEquals(0, lab.landed());
    lab.runUntil(FabricLab.DELAY_NS + BYTES * BYTE_NS);
    assertEquals(BYTES, lab.landed());
    lab.runUntil(FabricLab.DELAY_NS + 2 * BYTES * BYTE_NS);
    assertEquals(2 * BYTES, lab.landed());
    lab.settle();
    assertEquals(
        List.of(CompletionHandler.STATUS_OK, CompletionHandler.STATUS_OK), lab.atSender.statuses);
  }

  @Test
  void shouldHoldBackWhatLeavesAnInterface() throws Exception {
    try (FabricLab lab = lab(SLOW, RateSettings.UNLIMITED)) {
      assertBothLandLate(lab);
    }
  }

  @Test
  void shouldHoldBackWhatComesIntoAnInterface() throws Exception {
    try (FabricLab lab = lab(RateSettings.UNLIMITED, SLOW)) {
      assertBothLandLate(lab);
    }
  }

  @Test
  void shouldHoldBackMessagesBehindWrites() throws Exception {
    for (boolean isEgress : new boolean[] {true, false}) {
      RateSettings other = RateSettings.UNLIMITED;
      try (FabricLab lab = lab(isEgress ? SLOW : other, isEgress ? other : SLOW)) {
        lab.write(1, 0, BYTES);
        lab.send(7);
        long messageNs = FabricLab.DELAY_NS + (BYTES + Long.BYTES) * BYTE_NS;
        lab.runUntil(messageNs - 1);
        lab.poll();
        assertEquals(List.of(), lab.atReceiver.messages);
        lab.runUntil(messageNs);
        lab.poll();
        assertEquals(List.of(7L), lab.atReceiver.messages);
      }
    }
  }

  /** All senders to an interface share the port of the switch before this interface. */
  @Test
  void shouldShareAnInterfaceAmongItsSenders() throws Exception {
    try (FabricLab lab = lab(RateSettings.UNLIMITED, SLOW)) {
      Endpoint other = lab.open(2);
      RemoteMemory memory = Objects.requireNonNull(other.remoteMemory());
      MemoryRegion own = memory.register(lab.source, false);
      int toReceiver = other.resolve(lab.receiver.localAddress());
      lab.write(1, 0, BYTES);
      memory.postWrite(
          toReceiver,
          new RemoteWrite()
              .source(own, BYTES, BYTES)
              .target(lab.into.remoteBase() + BYTES, lab.into.remoteKey()),
          2);
      lab.runUntil(FabricLab.DELAY_NS + 2 * BYTES * BYTE_NS - 1);
      assertEquals(BYTES, lab.landed());
      lab.runUntil(FabricLab.DELAY_NS + 2 * BYTES * BYTE_NS);
      assertEquals(2 * BYTES, lab.landed());
    }
  }
}
