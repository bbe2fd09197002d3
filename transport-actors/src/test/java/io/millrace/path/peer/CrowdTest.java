package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.PathSecret;
import io.millrace.crypto.WorkerPair;
import io.millrace.driver.EndpointAddress;
import io.millrace.ends.PathCounters;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.region.RegionState;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Three hundred paths, each with 1 MiB to write into the 16 MiB of a single receiver, turn by turn
 * under one clock.
 */
class CrowdTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final int SENDERS = 300;
  private static final int BODY_BYTES = 1 << 20;
  private static final int BLOCKS = SENDERS * BODY_BYTES >> 16;
  private static final int MAX_TURNS = 200_000;
  private static final long STEP_NS = 50_000;
  private static final String REGIONS =
      "millrace.regions.sizes = [64 KiB, 256 KiB]\nmillrace.regions.counts = [64, 48]\n";

  private final byte[] payload = new byte[BODY_BYTES];
  private final List<TestCall> calls = new ArrayList<>();
  private final List<PeerPath> served = new ArrayList<>();
  private int whole;

  @Test
  void shouldServeAllWithinTheBudgetAndTheMemoryOfThePool() throws Exception {
    new Random(1).nextBytes(payload);
    WorkerLab receiver = lab(16);
    WorkerLab senders = lab(BLOCKS);
    receiver.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) -> CompletableFuture.completedFuture(new Digest()));
    for (int i = 0; i < SENDERS; i++) {
      PeerLink link = new PeerLink("10.0.1." + i + ":1", 100);
      senders.open(link, terms(i, true));
      served.add(receiver.open(new PeerLink("10.0.2." + i + ":1", 100), terms(i, false)));
      TestCall call =
          new TestCall(link, STORE.id(), 3, new byte[0], new ArraySource(payload, 0, BODY_BYTES));
      calls.add(call);
      link.onCall(call, senders.nowNs);
    }
    WorkerRegions regions = receiver.services.regions();
    int count = regions.pool().regionCount();
    long startNs = receiver.nowNs;
    long mostGranted = 0;
    for (int turn = 0; turn < MAX_TURNS && !isOver(); turn++) {
      exchange(senders, receiver);
      mostGranted = Math.max(mostGranted, regions.grantedBytes());
    }
    report(receiver, mostGranted, receiver.nowNs - startNs);
    for (int turn = 0; turn < 100; turn++) {
      exchange(senders, receiver);
    }
    for (PeerPath path : served) {
      assertTrue(path.calls().isIdle(), "something is left of an answered call");
    }
    for (TestCall call : calls) {
      assertEquals(CallOutcome.OK, call.outcome);
    }
    assertEquals(SENDERS, whole);
    assertEquals(count, regions.pool().regionCount());
    long budget = receiver.services.context().settings().regions().grantBudgetBytes();
    assertTrue(regions.peakOutstandingBytes() <= budget);
    assertEquals(0, regions.busyRegions());
    assertEquals(
        (long) SENDERS * BODY_BYTES, receiver.services.context().counters().bodyBytesReceived);
    assertEquals(0, senders.services.context().bodies().buffers().usedBytes());
    assertTrue(receiver.faults.isEmpty() && senders.faults.isEmpty());
    for (int i = 0; i < count; i++) {
      assertTrue(regions.pool().region(i).state() != RegionState.CONSUMING);
    }
  }

  private static WorkerLab lab(int blocks) {
    FakeEndpoint endpoint = new FakeEndpoint(64, 16);
    return new WorkerLab(endpoint, REGIONS, AeadProviders.discover().select(0), blocks);
  }

  private static PathTerms terms(int sender, boolean initiator) {
    byte[] secret = new byte[PathSecret.LENGTH];
    new Random(sender).nextBytes(secret);
    return new PathTerms(
        new PeerIncarnation("10.0.0.1:" + sender, 1),
        new PathSecret(secret),
        initiator,
        new WorkerPair(0, 0),
        RailPlan.only(
            new EndpointAddress("fake", new byte[] {(byte) (sender >> 8), (byte) sender}),
            initiator),
        WorkerLab.WINDOW_BYTES,
        new PathTerms.Window(WorkerLab.WINDOW_BYTES, WorkerLab.WINDOW_BYTES),
        new PathTerms.Agreement(
            65_536, WorkerLab.MAX_DATAGRAM_BYTES, AesKeySize.AES_128, 16 << 10, 0, 0),
        PathTerms.Handshake.ofUnproved(1_000_000));
  }

  private static void exchange(WorkerLab senders, WorkerLab receiver) {
    senders.turns(1, STEP_NS);
    receiver.endpoint.arrivals.addAll(senders.endpoint.sent);
    senders.endpoint.sent.clear();
    receiver.turns(1, STEP_NS);
    senders.endpoint.arrivals.addAll(receiver.endpoint.sent);
    receiver.endpoint.sent.clear();
  }

  private boolean isOver() {
    return calls.stream().allMatch(call -> call.outcome != null);
  }

  private void report(WorkerLab receiver, long mostGranted, long tookNs) {
    PathCounters counters = receiver.services.context().counters();
    System.out.printf(
        "%d of %d senders, 1 MiB each: %d ms of the test's clock, most outstanding %d, most"
            + " granted %d, tokens granted or grown %d, revoked %d, told exhausted %d, packets"
            + " received %d, writes rejected %d%n",
        whole,
        SENDERS,
        tookNs / 1_000_000,
        receiver.services.regions().peakOutstandingBytes(),
        mostGranted,
        counters.tokensGranted,
        counters.tokensRevoked,
        counters.grantsExhausted,
        counters.packetsReceived,
        counters.writesRejected);
  }

  /** Compares the received bytes with the sent bytes. */
  private final class Digest implements BodyTarget {
    private final byte[] bytes = new byte[BODY_BYTES];
    private int filled;

    @Override
    public void write(byte[] from, int offset, int length) {
      System.arraycopy(from, offset, bytes, filled, length);
      filled += length;
    }

    @Override
    public void complete() {
      assertEquals(BODY_BYTES, filled);
      assertArrayEquals(payload, bytes);
      whole++;
    }

    @Override
    public void abort(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
