package io.millrace.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import io.millrace.handshake.AdvertisedNic;
import io.millrace.nic.EndpointDescription;
import io.millrace.nic.NicShare;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.WorkerLab;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NicWatchTest {
  private static final String DOWN = "NicChanged worker=0 nic=%s isUp=false";
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

  private static EndpointDescription described(String nic, String driver, FakeEndpoint endpoint) {
    NicShare share = new NicShare(TransportSettings.defaults().nic().rates(), 1);
    return new EndpointDescription(
        nic, AdvertisedNic.ONLY, driver, endpoint.localAddress(), endpoint.counters(), share);
  }

  @Test
  void shouldNameTheDriverWhereTheNicHasSeveral() {
    FakeEndpoint other = new FakeEndpoint(4, 4);
    FakeEndpoint alone = new FakeEndpoint(4, 4);
    NicWatch watch =
        new NicWatch(
            lab.services,
            new WorkerEndpoints(
                List.of(endpoint, other, alone),
                List.of(
                    described("lo", "fabric:shm", endpoint),
                    described("lo", "udp", other),
                    described("eth1", "udp", alone))),
            () -> {});
    endpoint.isLinkUp = false;
    watch.onTurn(lab.nowNs);
    assertEquals(DOWN.formatted("lo by fabric:shm"), lab.events.lines().getLast());
    alone.isLinkUp = false;
    watch.onTurn(lab.nowNs + 50 * MS);
    assertEquals(DOWN.formatted("eth1"), lab.events.lines().getLast());
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
