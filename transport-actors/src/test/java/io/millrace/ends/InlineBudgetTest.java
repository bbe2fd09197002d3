package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.LimitSettings;
import io.millrace.config.PendingSettings;
import io.millrace.config.ProcessSettings;
import io.millrace.config.TransportSettings;
import io.millrace.config.WaitingSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InlineBudgetTest {
  private static final TransportSettings DEFAULTS = TransportSettings.parse("");

  @Test
  void shouldHoldTwoPathsOfEveryPeerThatTheDefaultsAllow() {
    LimitSettings limits = DEFAULTS.limits();
    InlineBudget budget = new InlineBudget(limits, DEFAULTS.nic().maxDatagramBytes());
    long taken = 0;
    for (int path = 0; path < 2 * limits.peers(); path++) {
      assertTrue(budget.hasRoom(), "path " + path);
      long window = budget.take();
      assertTrue(window >= budget.initialBytes(), "path " + path + " got " + window);
      taken += window;
    }
    assertTrue(taken <= limits.inlineBudgetBytes(), "gave away " + taken);
  }

  @Test
  void shouldGiveTheFirstPeersTheMostThatIsAllowed() {
    InlineBudget budget = new InlineBudget(DEFAULTS.limits(), DEFAULTS.nic().maxDatagramBytes());
    for (int path = 0; path < 16; path++) {
      assertEquals(DEFAULTS.limits().inlineCreditBytes(), budget.take());
    }
  }

  @Test
  void shouldGiveNothingWhenNothingIsLeftAndGoOnOnceSomethingCameBack() {
    InlineBudget budget = new InlineBudget(limits(1, 10_000), 1_000);
    assertEquals(4_125, budget.take());
    assertEquals(4_117, budget.take());
    assertFalse(budget.hasRoom());
    assertEquals(0, budget.take());
    budget.giveBack(0);
    assertEquals(0, budget.take());
    budget.giveBack(4_125);
    assertTrue(budget.hasRoom());
    assertEquals(4_117, budget.take());
  }

  @Test
  void shouldEndAsItBeganWhenAllIsGivenBack() {
    InlineBudget budget = new InlineBudget(limits(100, 10_000_000), 1_000);
    List<Long> first = takeAll(budget);
    first.forEach(budget::giveBack);
    assertEquals(first, takeAll(budget));
  }

  private static List<Long> takeAll(InlineBudget budget) {
    List<Long> windows = new ArrayList<>();
    while (budget.hasRoom()) {
      windows.add(budget.take());
    }
    assertTrue(windows.size() >= 200);
    return windows;
  }

  private static LimitSettings limits(int peers, long budgetBytes) {
    return new LimitSettings(
        peers,
        16,
        budgetBytes,
        1 << 20,
        1 << 20,
        16,
        16,
        1,
        new WaitingSettings(
            16,
            16,
            0,
            PendingSettings.NEVER,
            1 << 20,
            new WaitingSettings.RetrySettings(WaitingSettings.RetriedCalls.NONE, 1, 1, 1, 0, 1, 0)),
        new ProcessSettings(Duration.ZERO, false, ProcessSettings.JfrUse.OFF));
  }
}
