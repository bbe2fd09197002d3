package io.millrace.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.ends.SubmissionRings;
import io.millrace.ends.WaitingRoom;
import io.millrace.loop.DutyCycle;
import io.millrace.nic.WorkerEndpoints;
import io.millrace.path.network.Rail;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.WorkerLab;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The time at which a worker with little work looks again: after turns without work the worker may
 * sleep.
 */
class WorkerCycleTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final FakeEndpoint endpoint = new FakeEndpoint(8, 4);
  private final WorkerLab lab = new WorkerLab(endpoint);
  private final WorkerCycle cycle =
      new WorkerCycle(
          lab.services,
          lab.endpoints,
          new SubmissionRings(16, new WaitingRoom(16), () -> {}),
          new NicWatch(lab.services, lab.endpoints, () -> {}),
          () -> {});

  @Test
  void shouldFlushTrainsAgainWithinAMillisecondThatTheSystemHadNoRoomFor() throws DriverException {
    WorkerEndpoints endpoints = lab.endpoints;
    EndpointAddress peer = new EndpointAddress("fake", new byte[] {1});
    int destination = endpoints.open(List.of(new Rail(0, 0, peer, false)));
    SendBuffer buffer = Objects.requireNonNull(endpoints.acquireSendBuffer(0));
    assertEquals(DutyCycle.NO_DEADLINE_NS, cycle.nextDeadlineNs());

    endpoints.postPacket(destination, buffer, 100);
    endpoint.refusedFlushes = 2;
    endpoints.flush(lab.nowNs);

    assertEquals(lab.nowNs + MS, cycle.nextDeadlineNs());
    assertEquals(0, cycle.doWork(lab.nowNs + MS - 1), "a spinning worker does not flush each turn");
    assertTrue(cycle.doWork(lab.nowNs + MS) > 0);
    assertEquals(0, endpoint.sent.size());
    assertEquals(lab.nowNs + 2 * MS, cycle.nextDeadlineNs());
    assertTrue(cycle.doWork(lab.nowNs + 2 * MS) > 0, "the next turn finds free buffers");
    assertEquals(1, endpoint.sent.size());
    assertEquals(DutyCycle.NO_DEADLINE_NS, cycle.nextDeadlineNs());
  }

  /** The flush at the end of such a turn may report an absent peer. */
  @Test
  void shouldTurnAgainAfterATurnThatOnlySentWhatALookAtAPathWanted() throws DriverException {
    PeerPath path = lab.open(lab.link(1), 1, true);
    settle();
    WorkerEndpoints endpoints = lab.endpoints;
    SendBuffer buffer = Objects.requireNonNull(endpoints.acquireSendBuffer(0));

    path.packets().touch();
    endpoints.postPacket(path.packets().destination(), buffer, 100);

    assertNotEquals(0, cycle.doWork(lab.nowNs));
    assertEquals(0, cycle.doWork(lab.nowNs));

    path.packets().touch();
    assertEquals(0, cycle.doWork(lab.nowNs), "a look that sent nothing");
  }

  private void settle() {
    int turns = 0;
    while (cycle.doWork(lab.nowNs) > 0) {
      assertTrue(++turns < 100, "the worker does not come to rest");
    }
  }
}
