package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.crypto.AeadProviders;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The shares of priorities in a path that sends less than the waiting bytes. */
class SharedPathTest {
  private static final RouteId COUNT = RouteId.of("count");
  private static final RouteId STORE = RouteId.of("store");
  private static final int LEVEL = 3;
  private static final int CALL_BYTES = 1_000;
  private static final int BODY_BYTES = 2 << 20;
  private static final int ETHERNET = 1_472;
  private static final int LEAST_WAITING = 300;
  private static final int LOST_EACH = 40;
  private static final int TURNS = 4_000;
  private static final long STEP_NS = 50_000;
  private static final long SMALL_CREDIT_BYTES = 16 << 10;
  private static final long ENOUGH_BYTES = 2_000_000;

  private final WorkerLab client = lab();
  private final WorkerLab server = lab();
  private final long[] servedBytes = new long[8];
  private final int[] calls = new int[8];
  private final PeerLink link = client.link(1);
  private long chunkBytes;
  private long frameBytes;
  private int sent;

  private static WorkerLab lab() {
    FakeEndpoint endpoint = new FakeEndpoint(64, 16);
    endpoint.pathMaxDatagramBytes = ETHERNET;
    return new WorkerLab(endpoint, "", AeadProviders.discover().select(0), 64);
  }

  private PeerPath open(long creditBytes) throws Exception {
    final PeerPath path = client.open(link, WorkerLab.terms(1, true, creditBytes));
    server.open(server.link(1), WorkerLab.terms(1, false, creditBytes));
    server.routes.add(
        COUNT,
        call -> {
          servedBytes[call.priority()] += call.payloadLength();
          call.reply(call.buffer(), call.payloadOffset(), 0);
        });
    server.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) ->
            CompletableFuture.completedFuture(new Nowhere()));
    return path;
  }

  /**
   * A turn of both sides; the network loses a client's datagram in {@code lostEach}, or no datagram
   * if 0.
   */
  private void exchange(int lostEach) {
    client.turns(1, STEP_NS);
    byte[] datagram = client.endpoint.sent.poll();
    while (datagram != null) {
      if (datagram[0] == PacketHeader.FORM_CHUNKS) {
        chunkBytes += datagram.length;
      } else {
        frameBytes += datagram.length;
      }
      sent++;
      if (lostEach == 0 || sent % lostEach != 0) {
        server.endpoint.arrivals.add(datagram);
      }
      datagram = client.endpoint.sent.poll();
    }
    server.turns(1, STEP_NS);
    client.endpoint.arrivals.addAll(server.endpoint.sent);
    server.endpoint.sent.clear();
  }

  private void call(int priority) {
    calls[priority]++;
    link.onCall(new TestCall(link, COUNT.id(), priority, new byte[CALL_BYTES], null), client.nowNs);
  }

  private static void assertShare(double least, long part, long whole, double most) {
    double share = (double) part / whole;
    assertTrue(share >= least && share <= most, part + " of " + whole + " bytes");
  }

  @Test
  void shouldLetCallsAndABulkTransferOfOneLevelTakeTurns() throws Exception {
    PeerPath path = open(WorkerLab.WINDOW_BYTES);
    TestCall bulk =
        new TestCall(
            link,
            STORE.id(),
            LEVEL,
            new byte[0],
            new ArraySource(new byte[BODY_BYTES], 0, BODY_BYTES));
    link.onCall(bulk, client.nowNs);
    int turns = 0;
    while (bulk.outcome == null && turns < TURNS) {
      while (path.packets().frames().size() < LEAST_WAITING) {
        call(LEVEL);
      }
      exchange(LOST_EACH);
      turns++;
    }
    assertEquals(CallOutcome.OK, bulk.outcome);
    assertShare(0.4, chunkBytes, chunkBytes + frameBytes, 0.55);
    assertEquals(List.of(), client.faults);
  }

  /** Levels 0 and 1 have weights of 128 and 64: two thirds and a third. */
  private void share(int lostEach) {
    long served = 0;
    for (int turn = 0; turn < 4 * TURNS && served < ENOUGH_BYTES; turn++) {
      for (int level = 0; level < 2; level++) {
        while (calls[level] - servedBytes[level] / CALL_BYTES < LEAST_WAITING) {
          call(level);
        }
      }
      exchange(lostEach);
      served = servedBytes[0] + servedBytes[1];
    }
    assertTrue(served >= ENOUGH_BYTES, served + " bytes served");
    assertShare(0.30, servedBytes[1], served, 0.37);
  }

  @Test
  void shouldKeepTheWeightsOfLevelsUnderACongestionWindow() throws Exception {
    open(WorkerLab.WINDOW_BYTES);
    share(LOST_EACH);
  }

  @Test
  void shouldKeepTheWeightsOfLevelsUnderACreditWindow() throws Exception {
    open(SMALL_CREDIT_BYTES);
    share(0);
  }

  /** A target that drops all bytes. */
  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] from, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
