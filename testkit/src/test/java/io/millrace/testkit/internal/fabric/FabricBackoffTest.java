package io.millrace.testkit.internal.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.Endpoint;
import io.millrace.driver.NotReadySettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.RetrySettings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Receivers that are not ready and queues that are full, by peer. */
final class FabricBackoffTest {
  private static final long MS = 1_000_000;
  private static final long STEP_NS = 10_000;
  private static final FabricSettings NO_RETRIES =
      FabricSettings.DEFAULT
          .withOvertaking(0, 0)
          .withRetry(new RetrySettings(20_000, 50_000_000, 10_000, 0));

  @Test
  void shouldBackOffFromOnePeerWhileTheRateOfTheOthersIsUnchanged() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      Endpoint healthy = lab.open(2);
      FabricLab.Told atHealthy = new FabricLab.Told();
      int toHealthy = lab.sender.resolve(healthy.localAddress());
      lab.fabric.unready(node -> node == 1);
      lab.send(1);
      List<Long> attemptsNs = new ArrayList<>();
      long seen = 0;
      for (long step = 0; lab.fabric.counters().messagesLost == 0; step++) {
        assertTrue(lab.nowNs() < 5_000 * MS, "given up at some time");
        lab.runUntil(lab.nowNs() + STEP_NS);
        for (; seen < lab.fabric.counters().receiverNotReady; seen++) {
          attemptsNs.add(lab.nowNs());
        }
        if (step % 100 == 0) {
          FabricLab.poll(healthy, atHealthy);
          assertEquals(step / 100, atHealthy.messages.size(), "one message a millisecond");
          lab.send(toHealthy, step);
        }
        FabricLab.poll(lab.sender, lab.atSender);
      }
      assertCurve(attemptsNs);
      assertEquals(List.of("held 0 NOT_READY", "let go 0"), lab.atSender.holds);
      assertEquals(List.of(), lab.atSender.unreachable, "the peer lives");
    }
  }

  /** The waits double within their bounds, and are drawn at random. */
  private static void assertCurve(List<Long> attemptsNs) {
    long limitNs = 2 * NotReadySettings.DEFAULTS.firstWaitNs();
    int full = 0;
    for (int i = 2; i < attemptsNs.size(); i++) {
      long waitedNs = attemptsNs.get(i) - attemptsNs.get(i - 1) - FabricLab.DELAY_NS;
      assertTrue(waitedNs >= limitNs / 2 - STEP_NS, i + ": " + waitedNs);
      assertTrue(waitedNs <= limitNs + STEP_NS, i + ": " + waitedNs);
      full += waitedNs >= limitNs - limitNs / 20 ? 1 : 0;
      limitNs = Math.min(2 * limitNs, NotReadySettings.DEFAULTS.longestWaitNs());
    }
    assertTrue(attemptsNs.size() >= 14, "attempts: " + attemptsNs.size());
    assertTrue(full < attemptsNs.size() / 2, "waits without chance: " + full);
    long firstNs = attemptsNs.get(1) - attemptsNs.get(0);
    assertTrue(firstNs <= FabricLab.DELAY_NS + STEP_NS, "repeated at once: " + firstNs);
  }

  @Test
  void shouldDeliverInOrderOnceTheReceiverIsReady() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      lab.fabric.unready(node -> node == 1);
      lab.send(1);
      lab.runUntil(2 * MS);
      lab.send(2);
      lab.send(3);
      assertFalse(lab.write(9, 0, 100), "writes wait for the same time");
      lab.fabric.unready(node -> false);
      lab.runUntil(10 * MS);
      lab.poll();
      assertEquals(List.of(1L, 2L, 3L), lab.atReceiver.messages);
      assertEquals(List.of("held 0 NOT_READY", "let go 0"), lab.atSender.holds);
      assertTrue(lab.write(9, 0, 100));
      assertEquals(0, lab.fabric.counters().messagesLost);
    }
  }

  @Test
  void shouldRepeatWritesAndGiveThemUpTyped() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      lab.fabric.unready(node -> node == 1);
      assertTrue(lab.write(1, 0, 100));
      lab.runUntil(MS);
      lab.fabric.unready(node -> false);
      lab.runUntil(10 * MS);
      lab.poll();
      assertEquals(List.of(CompletionHandler.STATUS_OK), lab.atSender.statuses);
      assertEquals(100, lab.landed());
      lab.fabric.unready(node -> node == 1);
      assertTrue(lab.write(2, 200, 100));
      lab.runUntil(4_000 * MS);
      lab.poll();
      assertEquals(CompletionHandler.STATUS_NOT_READY, lab.atSender.statuses.getLast());
      assertEquals(100, lab.landed());
      assertEquals(List.of(), lab.atSender.unreachable);
    }
  }

  @Test
  void shouldEndWritesToAPeerThatDiesWhileNotReady() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      lab.fabric.unready(node -> node == 1);
      assertTrue(lab.write(1, 0, 100), "under way when the peer dies");
      lab.runUntil(100 * MS);
      lab.fabric.crash(1);
      lab.fabric.unready(node -> false);
      lab.runUntil(4_000 * MS);
      lab.poll();
      assertEquals(List.of(CompletionHandler.STATUS_UNREACHABLE), lab.atSender.statuses);
    }
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      lab.fabric.unready(node -> node == 1);
      lab.send(1);
      lab.runUntil(4_000 * MS);
      lab.fabric.crash(1);
      assertTrue(lab.write(1, 0, 100), "posted to a peer given up");
      lab.runUntil(8_000 * MS);
      lab.poll();
      assertEquals(List.of(CompletionHandler.STATUS_UNREACHABLE), lab.atSender.statuses);
    }
  }

  @Test
  void shouldBackOffAgainLongAfterAGiveUp() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      lab.fabric.unready(node -> node == 1);
      lab.send(1);
      lab.runUntil(4_000 * MS);
      assertEquals(1, lab.fabric.counters().messagesLost);
      lab.fabric.unready(node -> false);
      lab.runUntil(60_000 * MS);
      lab.fabric.unready(node -> node == 1);
      lab.send(2);
      lab.runUntil(60_001 * MS);
      lab.fabric.unready(node -> false);
      lab.runUntil(61_000 * MS);
      lab.poll();
      assertEquals(List.of(2L), lab.atReceiver.messages);
    }
  }

  @Test
  void shouldKeepPostsToAFullQueueInOrderOrGiveThemUp() throws Exception {
    try (FabricLab lab = new FabricLab(NO_RETRIES)) {
      Endpoint healthy = lab.open(2);
      FabricLab.Told atHealthy = new FabricLab.Told();
      int toHealthy = lab.sender.resolve(healthy.localAddress());
      lab.fabric.refusing(node -> node == 1);
      for (long i = 0; i < 3; i++) {
        lab.send(i);
        lab.send(toHealthy, i);
      }
      assertFalse(lab.write(9, 0, 100));
      lab.runUntil(60 * MS);
      lab.poll();
      FabricLab.poll(healthy, atHealthy);
      assertEquals(List.of(0L, 1L, 2L), atHealthy.messages);
      assertEquals(List.of(), lab.atReceiver.messages);
      assertEquals(List.of("held 0 QUEUE_FULL"), lab.atSender.holds);
      lab.fabric.refusing(node -> false);
      lab.runUntil(61 * MS);
      lab.poll();
      assertEquals(List.of(0L, 1L, 2L), lab.atReceiver.messages);
      assertEquals(List.of("held 0 QUEUE_FULL", "let go 0"), lab.atSender.holds);
      lab.fabric.refusing(node -> node == 1);
      lab.send(4);
      lab.runUntil(3_000 * MS);
      lab.poll();
      assertEquals(1, lab.fabric.counters().messagesLost);
      assertEquals(List.of(lab.destination), lab.atSender.unreachable);
      assertTrue(lab.write(5, 0, 100), "an outcome, no refusal for ever");
      lab.poll();
      assertEquals(List.of(CompletionHandler.STATUS_UNREACHABLE), lab.atSender.statuses);
    }
  }
}
