package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.node.WarmUpReport;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node runs its code ahead of the first call. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class WarmUpTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** Enough for the start of the nodes on most machines. */
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** The nodes of a warm-up start and end on a busy machine, too. */
  private static final Duration MOST = Duration.ofSeconds(20);

  private static final long END_MS = 20_000;

  /** The first warm-up loads classes, whose threads and descriptors stay. */
  @Test
  void shouldLeaveNothingBehind() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      warmUp(nodes.client, SHORT);
      Set<Thread> threads = Thread.getAllStackTraces().keySet();
      long descriptors = descriptors();
      List<String> events = nodes.clientEvents().lines();
      warmUp(nodes.client, LIMIT);
      assertEquals(Set.of(), threadsBeyond(threads));
      assertTrue(descriptors() <= descriptors, "descriptors are left");
      assertEquals(events, nodes.clientEvents().lines());
      assertEquals(0, nodes.client.snapshot().workers().getFirst().packets().sent());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndWithTransport(boolean isInterrupted) throws Exception {
    Transport node = Transport.builder(TwoNodes.small("")).start();
    Set<Thread> threads = Thread.getAllStackTraces().keySet();
    CompletionStage<WarmUpReport> stage = node.warmUp(Duration.ofHours(1));
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    node.close();
    assertEquals(isInterrupted, Thread.interrupted());
    assertTrue(stage.toCompletableFuture().isDone(), "the warm-up goes on");
    assertFalse(stage.toCompletableFuture().join().isQuiet());
    assertEquals(Set.of(), threadsBeyond(threads));
    assertThrows(IllegalStateException.class, () -> node.warmUp(LIMIT));
  }

  @Test
  void shouldRefuseLimitOutOfRange() {
    assertThrows(
        IllegalArgumentException.class, () -> WarmUpReport.requireLimit(Duration.ofHours(2)));
    assertThrows(IllegalArgumentException.class, () -> WarmUpReport.requireLimit(Duration.ZERO));
  }

  private static void warmUp(Transport node, Duration limit) throws Exception {
    WarmUpReport report =
        node.warmUp(limit).toCompletableFuture().get(MOST.toMillis(), TimeUnit.MILLISECONDS);
    assertTrue(report.lasted().compareTo(MOST) < 0, () -> "the warm-up took " + report.lasted());
  }

  /** The living threads of nodes that were not there before. */
  private static Set<Thread> threadsBeyond(Set<Thread> before) throws InterruptedException {
    Set<Thread> beyond = new HashSet<>(Thread.getAllStackTraces().keySet());
    beyond.removeAll(before);
    beyond.removeIf(thread -> !thread.getName().startsWith("millrace-"));
    for (Thread thread : beyond) {
      thread.join(END_MS);
    }
    beyond.removeIf(thread -> !thread.isAlive());
    return beyond;
  }

  private static long descriptors() {
    return ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class)
        .getOpenFileDescriptorCount();
  }
}
