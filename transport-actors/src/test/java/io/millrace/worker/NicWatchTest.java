package io.millrace.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.WorkerLab;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NicWatchTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final FakeEndpoint endpoint = new FakeEndpoint(4, 4);
  private final WorkerLab lab = new WorkerLab(endpoint);
  private int changes;
  private final NicWatch nics = new NicWatch(lab.services, lab.endpoints, () -> changes++);

  @Test
  void shouldHaveTheSystemAskedForLinksEveryTenMilliseconds() {
    for (long us = 0; us < 100_000; us += 50) {
      nics.onTurn(lab.nowNs + us * 1_000);
    }
    assertEquals(10, endpoint.linkReads);
  }

  /**
   * A worker reads the link in the first turn after a sleep; a busy worker reads the link in time
   * for a failover of 50 ms.
   */
  @Test
  void shouldTellOfALinkInTheFirstTurnAfterASleepAndWithinTenMillisecondsOtherwise() {
    nics.onTurn(lab.nowNs);
    endpoint.isLinkUp = false;
    nics.onTurn(lab.nowNs + 50 * MS);
    assertEquals(1, changes);
    endpoint.isLinkUp = true;
    for (long us = 0; us <= 10_000; us += 50) {
      nics.onTurn(lab.nowNs + 50 * MS + us * 1_000);
    }
    assertEquals(2, changes);
  }
}
