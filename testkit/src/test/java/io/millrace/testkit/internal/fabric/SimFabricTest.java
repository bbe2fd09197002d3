package io.millrace.testkit.internal.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.testkit.internal.net.FaultKind;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.RateSettings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour of a simulated fabric towards endpoints that write into each other's memory. */
final class SimFabricTest {
  private static final long MS = 1_000_000;
  private static final int PIECE = 4_096;
  private static final FabricSettings IN_ORDER =
      FabricSettings.DEFAULT.withOvertaking(0, 0).withPieces(PIECE);
  private static final FabricSettings WILD =
      FabricSettings.DEFAULT.withOvertaking(500_000, 100_000).withPieces(PIECE);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldWriteIntoMemoryByBothKindsOfAddress(boolean isVirtual) throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER.withVirtualAddresses(isVirtual))) {
      assertEquals(isVirtual, lab.into.remoteBase() != 0);
      assertTrue(lab.write(7, 100, 10_000));
      lab.runUntil(FabricLab.DELAY_NS);
      assertEquals(10_000, lab.landed());
      lab.poll();
      assertEquals(List.of(), lab.atSender.ended);
      lab.runUntil(2 * FabricLab.DELAY_NS);
      lab.poll();
      assertEquals(List.of(7L), lab.atSender.ended);
      assertEquals(List.of(CompletionHandler.STATUS_OK), lab.atSender.statuses);
    }
  }

  @Test
  void shouldTellTheTargetOfAnImmediateValueOnceAllBytesAreThere() throws Exception {
    try (FabricLab lab = new FabricLab(WILD)) {
      RemoteWrite write =
          new RemoteWrite()
              .source(lab.from, 0, FabricLab.BYTES)
              .target(lab.into.remoteBase(), lab.into.remoteKey())
              .immediate(99);
      lab.local.postWrite(lab.destination, write, 1);
      while (lab.atReceiver.immediates.isEmpty()) {
        assertTrue(lab.nowNs() < MS);
        lab.runUntil(lab.nowNs() + 1_000);
        lab.poll();
      }
      assertEquals(FabricLab.BYTES, lab.landed());
      assertEquals(List.of(99L), lab.atReceiver.immediates);
    }
  }

  @Test
  void shouldRefuseUnknownKeysAndBoundsAndLetNothingLand() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      MemoryRegion readOnly = lab.remote.register(lab.target, false);
      lab.write(1, 0, 100, lab.into.remoteKey() + 1);
      lab.write(2, 0, 100, readOnly.remoteKey());
      RemoteWrite beyond =
          new RemoteWrite()
              .source(lab.from, 0, 2)
              .target(lab.into.remoteBase() + FabricLab.BYTES - 1, lab.into.remoteKey());
      lab.local.postWrite(lab.destination, beyond, 3);
      RemoteWrite before =
          new RemoteWrite()
              .source(lab.from, 0, 2)
              .target(lab.into.remoteBase() - 1, lab.into.remoteKey());
      lab.local.postWrite(lab.destination, before, 4);
      lab.settle();
      assertEquals(List.of(1L, 2L, 3L, 4L), lab.atSender.ended);
      assertEquals(List.of(2, 2, 2, 2), lab.atSender.statuses); // STATUS_REMOTE_ACCESS
      assertEquals(0, lab.landed());
      assertEquals(4, lab.fabric.counters().accessErrors);
    }
  }

  @Test
  void shouldRefuseWritesWhileTheQueueIsFull() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER.withQueues(8, 2))) {
      assertTrue(lab.write(1, 0, 1));
      assertTrue(lab.write(2, 1, 1));
      assertFalse(lab.write(3, 2, 1));
      lab.settle();
      assertTrue(lab.write(3, 2, 1));
      assertEquals(1, lab.fabric.counters().queueFull);
    }
  }

  @Test
  void shouldLetThePiecesOfAWriteLandAfterItsMemoryWasDeregistered() throws Exception {
    LinkSettings slow =
        LinkSettings.clean(FabricLab.DELAY_NS).withRate(RateSettings.of(1L << 30, 1 << 20));
    try (FabricLab lab = new FabricLab(IN_ORDER, slow)) {
      lab.write(1, 0, FabricLab.BYTES);
      lab.runUntil(FabricLab.DELAY_NS + 2 * PIECE);
      int before = lab.landed();
      assertTrue(before > 0 && before < FabricLab.BYTES, before + " bytes");
      lab.remote.deregister(lab.into);
      lab.settle();
      assertEquals(FabricLab.BYTES, lab.landed());
      assertEquals(List.of(CompletionHandler.STATUS_OK), lab.atSender.statuses);
      assertTrue(lab.fabric.counters().latePieces > 0);
      assertEquals(0, lab.fabric.counters().foreignPieces);
    }
  }

  @Test
  void shouldNoticePiecesThatLandInMemoryWhichIsAnothersByNow() throws Exception {
    try (FabricLab lab = new FabricLab(WILD)) {
      lab.write(1, 0, FabricLab.BYTES);
      while (lab.landed() == 0) {
        lab.runUntil(lab.nowNs() + 1_000);
      }
      lab.remote.deregister(lab.into);
      lab.into = lab.remote.register(lab.target, true);
      lab.settle();
      assertTrue(lab.fabric.counters().foreignPieces > 0);
    }
  }

  @Test
  void shouldNotFenceWhenTheTargetCloses() throws Exception {
    try (FabricLab lab = new FabricLab(WILD)) {
      lab.write(1, 0, FabricLab.BYTES);
      while (lab.landed() == 0) {
        lab.runUntil(lab.nowNs() + 1_000);
      }
      lab.receiver.close();
      lab.write(2, 0, 1);
      lab.runUntil(10 * MS);
      assertEquals(FabricLab.BYTES, lab.landed());
      FabricLab.poll(lab.sender, lab.atSender);
      assertEquals(List.of(1L), lab.atSender.ended);
      lab.runUntil(60 * MS);
      FabricLab.poll(lab.sender, lab.atSender);
      assertEquals(List.of(1L, 2L), lab.atSender.ended);
      assertEquals(
          List.of(CompletionHandler.STATUS_OK, CompletionHandler.STATUS_UNREACHABLE),
          lab.atSender.statuses);
      assertEquals(List.of(lab.destination), lab.atSender.unreachable);
    }
  }

  @Test
  void shouldReportADeadPeerAfterAWhile() throws Exception {
    try (FabricLab lab = new FabricLab(WILD)) {
      lab.write(1, 0, FabricLab.BYTES);
      lab.fabric.crash(1);
      lab.runUntil(49 * MS);
      assertEquals(0, lab.sender.poll(lab.atSender, 64));
      lab.runUntil(51 * MS);
      lab.sender.poll(lab.atSender, 64);
      assertEquals(List.of(CompletionHandler.STATUS_UNREACHABLE), lab.atSender.statuses);
      assertEquals(0, lab.landed());
    }
  }

  @Test
  void shouldLandAfterItsSenderWasToldThatItFailed() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      // The way back is cut: the landed piece is never confirmed.
      lab.network.cut(1, 0);
      lab.write(1, 0, PIECE);
      lab.settle();
      assertEquals(List.of(CompletionHandler.STATUS_UNREACHABLE), lab.atSender.statuses);
      assertEquals(PIECE, lab.landed());
    }
  }

  @Test
  void shouldMakeLossCostTimeAlone() throws Exception {
    LinkSettings lossy =
        LinkSettings.clean(FabricLab.DELAY_NS).withLoss(LossSettings.random(300_000));
    try (FabricLab lab = new FabricLab(WILD, lossy)) {
      for (int i = 0; i < 16; i++) {
        assertTrue(lab.write(i, i * PIECE, PIECE));
        lab.send(i);
      }
      lab.settle();
      assertEquals(FabricLab.BYTES, lab.landed());
      assertEquals(16, lab.fabric.counters().writesDone);
      assertEquals(16, lab.atReceiver.messages.size());
      assertTrue(lab.fabric.counters().retries > 0);
    }
  }

  @Test
  void shouldMakeBurstsAndCutsCostTimeAlone() throws Exception {
    LinkSettings clean = LinkSettings.clean(FabricLab.DELAY_NS);
    for (LinkSettings bad :
        List.of(
            clean.withLoss(new LossSettings(0, 200_000, 20)),
            clean.withDamage(new DamageSettings(0, 0, 0, 0, 300_000)))) {
      try (FabricLab lab = new FabricLab(IN_ORDER, bad)) {
        for (int i = 0; i < 16; i++) {
          assertTrue(lab.write(i, i * PIECE, PIECE));
          lab.send(i);
        }
        lab.settle();
        assertEquals(FabricLab.BYTES, lab.landed());
        assertEquals(16, lab.fabric.counters().writesDone);
        assertEquals(16, lab.atReceiver.messages.size());
        assertTrue(lab.fabric.counters().retries > 0);
      }
    }
  }

  /** With one piece at a time, the piece that begins a burst and the pieces behind come late. */
  @Test
  void shouldLoseAttemptsInARow() throws Exception {
    LinkSettings bursts =
        LinkSettings.clean(FabricLab.DELAY_NS).withLoss(new LossSettings(0, 100_000, 10));
    int most = 0;
    try (FabricLab lab = new FabricLab(IN_ORDER, bursts)) {
      for (int i = 0; i < 100; i++) {
        long before = lab.fabric.counters().retries;
        lab.write(i, 0, PIECE);
        lab.settle();
        most = Math.max(most, (int) (lab.fabric.counters().retries - before));
      }
    }
    assertTrue(most > 4, "lost in a row: " + most);
  }

  @Test
  void shouldLetMessagesAndCompletionsOvertakeEachOther() throws Exception {
    try (FabricLab lab = new FabricLab(WILD)) {
      List<Long> posted = LongStream.range(0, 16).boxed().toList();
      for (long i : posted) {
        lab.write(i, (int) i * PIECE, PIECE);
        lab.send(i);
      }
      lab.settle();
      assertNotEquals(posted, lab.atSender.ended);
      assertEquals(posted, lab.atSender.ended.stream().sorted().toList());
      assertNotEquals(posted, lab.atReceiver.messages);
      assertEquals(posted, lab.atReceiver.messages.stream().sorted().toList());
    }
  }

  @Test
  void shouldLoseMessagesForWhichThereIsNoBufferForTooLong() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER.withQueues(2, 8))) {
      for (int i = 0; i < 5; i++) {
        lab.send(i);
      }
      lab.runUntil(FabricLab.DELAY_NS + 5_000);
      assertEquals(3, lab.fabric.counters().receiverNotReady);
      lab.poll();
      // Two buffers are free again: two of the three messages come in time.
      lab.runUntil(4 * FabricLab.DELAY_NS);
      lab.poll();
      assertEquals(5, lab.atReceiver.messages.size() + 1L);
      lab.settle();
      assertEquals(5, lab.atReceiver.messages.size());
      for (int i = 0; i < 5; i++) {
        lab.send(i);
      }
      lab.runUntil(1_000 * MS);
      assertEquals(0, lab.fabric.counters().messagesLost, "the driver repeats");
      lab.runUntil(4_000 * MS);
      assertEquals(3, lab.fabric.counters().messagesLost);
    }
  }

  @Test
  void shouldLetOnlyThoseFaultsHappenThatMay() throws Exception {
    FabricSettings overtaking = WILD.withOvertaking(1_000_000, MS);
    LinkSettings lossy =
        LinkSettings.clean(FabricLab.DELAY_NS).withLoss(LossSettings.random(500_000));
    try (FabricLab lab = new FabricLab(overtaking, lossy)) {
      lab.write(1, 0, FabricLab.BYTES);
      lab.settle();
      assertTrue(lab.fabric.counters().retries > 0);
      assertTrue(
          lab.network.firedFaults().stream()
              .anyMatch(fault -> fault.kind() == FaultKind.LOSS && fault.ordinal() < 0));
    }
    try (FabricLab lab = new FabricLab(overtaking, lossy)) {
      lab.network.faults((link, ordinal, kind) -> false);
      lab.write(1, 0, FabricLab.BYTES);
      lab.runUntil(2 * FabricLab.DELAY_NS);
      lab.poll();
      assertEquals(List.of(1L), lab.atSender.ended);
      assertEquals(0, lab.fabric.counters().retries);
      assertEquals(List.of(), lab.network.firedFaults());
    }
  }

  @Test
  void shouldBringNothingOverWhileALinkIsClogged() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      lab.network.link(0, 1).clog(MS);
      lab.write(1, 0, PIECE);
      lab.runUntil(MS - 1);
      assertEquals(0, lab.landed());
      lab.settle();
      assertEquals(PIECE, lab.landed());
      assertEquals(List.of(CompletionHandler.STATUS_OK), lab.atSender.statuses);
    }
  }

  @Test
  void shouldNeverGiveAKeyTwice() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      Set<Long> keys = new HashSet<>();
      for (int i = 0; i < 1_000; i++) {
        MemoryRegion region = lab.remote.register(lab.target, true);
        assertTrue(keys.add(region.remoteKey()));
        lab.remote.deregister(region);
        assertThrows(DriverException.class, () -> lab.remote.deregister(region));
      }
    }
  }

  @Test
  void shouldRefuseMemoryWhenTheSystemLocksNoMore() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      lab.fabric.registering(node -> node != 1);
      assertThrows(DriverException.class, () -> lab.remote.register(lab.target, true));
      lab.local.register(lab.source, true);
      MemorySegment heap = MemorySegment.ofArray(new byte[10]);
      assertThrows(DriverException.class, () -> lab.local.register(heap, true));
    }
  }

  @Test
  void shouldNoticeThatTheSourceWasChangedTooEarly() throws Exception {
    try (FabricLab lab = new FabricLab(IN_ORDER)) {
      lab.write(1, 0, 100);
      lab.source.set(ValueLayout.JAVA_BYTE, 99, (byte) 0);
      assertThrows(IllegalStateException.class, lab::settle);
    }
  }

  /** Sends three messages with this verdict for the second, and polls the arrivals at the end. */
  private static FabricLab second(Verdict verdict) throws DriverException {
    FabricLab lab = new FabricLab(IN_ORDER);
    lab.network.plan(packet -> packet.ordinal() == 1 ? verdict : Verdict.PASS);
    for (long content = 0; content < 3; content++) {
      lab.send(content);
    }
    lab.settle();
    return lab;
  }

  @Test
  void shouldLoseMessagesForGoodThatWereToBeLost() throws Exception {
    try (FabricLab lab = second(Verdict.DROP)) {
      assertEquals(List.of(0L, 2L), lab.atReceiver.messages);
      assertEquals(1, lab.fabric.counters().messagesLost);
      assertEquals(List.of(0L, 1L, 2L), lab.atSender.sent);
    }
  }

  @Test
  void shouldBringMessagesLateThatWereToBeLate() throws Exception {
    try (FabricLab lab = second(Verdict.delay(MS))) {
      assertEquals(List.of(0L, 2L, 1L), lab.atReceiver.messages);
      assertEquals(MS + FabricLab.DELAY_NS, lab.nowNs());
    }
  }

  @Test
  void shouldSendMessagesAgainThatWereToBeDamaged() throws Exception {
    try (FabricLab lab = second(Verdict.CORRUPT)) {
      assertEquals(List.of(0L, 2L, 1L), lab.atReceiver.messages);
      assertEquals(1, lab.fabric.counters().retries);
    }
  }

  @Test
  void shouldBringMessagesOnceThatWereToComeTwice() throws Exception {
    try (FabricLab lab = second(Verdict.DUPLICATE)) {
      assertEquals(Set.of(0L, 1L, 2L), new HashSet<>(lab.atReceiver.messages));
      assertEquals(3, lab.atReceiver.messages.size());
    }
  }
}
