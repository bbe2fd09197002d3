package io.millrace.path.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.path.causality.CausalityGroup;
import io.millrace.path.causality.Dependencies;
import io.millrace.path.causality.SlotToken;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.TestCall;
import io.millrace.path.peer.WorkerLab;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call whose deadline passes between the call's slot of causality and the call's worker. */
class LinedDeadlineTest {
  private static final long MS = 1_000_000;
  private static final long ROUTE = RouteId.of("echo").id();
  private static final int CALLS_AHEAD = 5;

  private final WorkerLab lab =
      new WorkerLab(
          new FakeEndpoint(16, 16),
          "millrace.causality { initial-slots = 64, max-slots = 64 },"
              + " millrace.workers.submission-limit = 1",
          AeadProviders.discover().select(0));
  private final PeerLink link = lab.link(1);
  private final CausalityGroup group = lab.services.context().causality();

  @Test
  void shouldExpireOnceItsWorkerHasIt() throws Exception {
    lab.open(link, 1, true);
    List<SlotToken> slots = new ArrayList<>();
    while (group.waiting() == 0) {
      slots.add(group.newToken());
      assertNull(group.bind(List.of(slots.getLast()), () -> {}));
      lab.turns(2, MS);
    }
    TestCall call = new TestCall(link, ROUTE, 16);
    call.expireAfter(10 * MS);
    call.dependOn(Dependencies.NONE.withToken(token -> {}), group);
    lab.handle(link).submit(call);
    lab.turns(2, MS);
    assertTrue(call.isInLine());

    for (int i = 0; i < CALLS_AHEAD; i++) {
      lab.handle(link).submit(new TestCall(link, ROUTE, 0, new byte[16], null));
    }
    group.end(slots.get(0), true, lab.nowNs);
    group.end(slots.get(1), true, lab.nowNs);
    assertFalse(call.isInLine());
    lab.nowNs += 20 * MS;
    lab.turns(2 * CALLS_AHEAD, MS);

    assertEquals(CallOutcome.EXPIRED, call.outcome, call.text);
    assertEquals(1, call.endings);
  }
}
