package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CrowdWaitTest {
  private static final long S = 1_000_000_000L;
  private final CrowdWait wait = new CrowdWait("peers listening", S);

  private static List<CrowdWait.Awaited> two(int done, String phase) {
    return List.of(
        new CrowdWait.Awaited("burst-1", 75, 3, "answering 'connect'", true),
        new CrowdWait.Awaited("burst-2", 70, done, phase, false));
  }

  @Test
  void shouldSayEachFiveSecondsWhatIsAwaited() {
    assertEquals(Optional.empty(), wait.poll(two(0, "starting"), 6 * S - 1));
    assertEquals(
        Optional.of("burst: 75 of 145 peers listening after 5 s; waits for burst-2 (starting)"),
        wait.poll(two(0, "starting"), 6 * S));
    assertEquals(Optional.empty(), wait.poll(two(41, "opening"), 7 * S));
    assertEquals(
        Optional.of("burst: 117 of 145 peers listening after 10 s; waits for burst-2 (opening)"),
        wait.poll(two(42, "opening"), 11 * S));
  }

  @Test
  void shouldStallOnlyWhenNoProcessComesFurther() {
    long limitNs = CrowdWait.STALL_SECONDS * S;
    wait.poll(two(1, "opening"), 2 * S);
    assertFalse(wait.isStalled(limitNs + 2 * S - 1));
    assertTrue(wait.isStalled(limitNs + 2 * S));
    wait.poll(two(2, "opening"), limitNs + 2 * S);
    assertFalse(wait.isStalled(limitNs + 3 * S));
  }
}
