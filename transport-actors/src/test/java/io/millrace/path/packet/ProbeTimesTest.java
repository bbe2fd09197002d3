package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A silent path sends probes at the times given by the settings. */
class ProbeTimesTest {
  private static final long MS = 1_000_000;
  private static final int ASKS = 4;

  @Test
  void shouldAskAgainAsTheSettingsSay() throws Exception {
    assertEquals(List.of(2 * 20L, 3 * 2 * 20L, 200L), waitedMs(asked(0)));
  }

  @Test
  void shouldAskLaterByTheJitter() throws Exception {
    long plainMs = waitedMs(asked(0)).stream().mapToLong(Long::longValue).sum();
    long laterMs = waitedMs(asked(50)).stream().mapToLong(Long::longValue).sum();
    assertTrue(laterMs > plainMs * 11 / 10, () -> laterMs + " ms");
    assertTrue(laterMs <= plainMs * 3 / 2, () -> laterMs + " ms");
  }

  /** The times at which a path without answers sends its packets. */
  private static List<Long> asked(int jitterPercent) throws Exception {
    WorkerLab lab =
        new WorkerLab(
            new FakeEndpoint(16, 16),
            """
            millrace.recovery {
              initial-rtt = 20 ms, pto-multiplier = 2, pto-factor = 3, pto-max = 200 ms
              pto-jitter-percent = %d, ack-delay = 0 ms, silence = 10 s, fail-after = 60 s
            }
            """
                .formatted(jitterPercent),
            AeadProviders.discover().select(0));
    PeerLink link = lab.link(1);
    lab.open(link, unmeasured(WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES)));
    lab.turns(5, MS);
    lab.endpoint.sent.clear();

    lab.handle(link).submit(new TestCall(link, RouteId.of("echo").id(), 16));
    List<Long> asked = new ArrayList<>();
    while (asked.size() < ASKS) {
      lab.turn();
      if (!lab.endpoint.sent.isEmpty()) {
        asked.add(lab.nowNs);
        lab.endpoint.sent.clear();
      }
      lab.nowNs += MS;
    }
    return asked;
  }

  /** The intervals in ms, in tens: a turn may be a little late. */
  private static List<Long> waitedMs(List<Long> timesNs) {
    List<Long> waited = new ArrayList<>();
    for (int i = 1; i < timesNs.size(); i++) {
      waited.add((timesNs.get(i) - timesNs.get(i - 1)) / (10 * MS) * 10);
    }
    return waited;
  }

  /** The same path, after a handshake without a measured round trip. */
  private static PathTerms unmeasured(PathTerms terms) {
    return new PathTerms(
        terms.peer(),
        terms.secret(),
        terms.initiator(),
        terms.workers(),
        terms.rails(),
        terms.sendLimitBytes(),
        terms.receiveWindow(),
        terms.agreement(),
        PathTerms.Handshake.ofUnproved(0));
  }
}
