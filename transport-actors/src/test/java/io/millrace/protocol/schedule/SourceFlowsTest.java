package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SourceFlowsTest {
  private static final long GIGABIT = 1_000_000_000L;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long START_NS = 5;
  private static final int PACKET = 1_472;

  private final long[] sent = new long[5];

  @Test
  void shouldFillNicWithFiveFlows() {
    final Shaper nic = new Shaper(new OneRate(25 * GIGABIT), 0);
    assertShare(25, send(new SourceFlows(5, 5 * GIGABIT, 0), nic));
    for (long flow : sent) {
      assertShare(5, flow);
    }
  }

  @Test
  void shouldCapOneFlowAlone() {
    final Shaper nic = new Shaper(new OneRate(25 * GIGABIT), 0);
    assertShare(5, send(new SourceFlows(1, 5 * GIGABIT, 0), nic));
  }

  @Test
  void shouldNotExceedNicWithMoreFlowsThanItTakes() {
    final Shaper nic = new Shaper(new OneRate(25 * GIGABIT), 0);
    final double most = 25e9 / 8 + LeakyBucket.MAX_TRAIN_BYTES;
    assertTrue(send(new SourceFlows(5, 10 * GIGABIT, 0), nic) <= most);
    assertShare(5, sent[0]);
    assertShare(5, sent[4]);
  }

  private static void assertShare(int gigabits, long bytesInSecond) {
    assertEquals(1, bytesInSecond * 8e-9 / gigabits, 0.01);
  }

  /** Sends bulk for a second; returns bytes. */
  private long send(SourceFlows flows, Shaper nic) {
    long nowNs = START_NS;
    long total = 0;
    while (nowNs - START_NS < SECOND_NS) {
      if (!nic.mayStart(nowNs)) {
        nowNs = nic.nextDeadlineNs();
        continue;
      }
      final int flow = flows.bulk(nowNs);
      if (flow == SourceFlows.NONE) {
        nowNs = flows.nextBulkNs();
        continue;
      }
      final int most = Math.min(nic.trainBytes(nowNs), flows.trainBytes(flow, nowNs));
      final int packets = Math.max(1, most / PACKET);
      nic.onTrain(packets * PACKET, packets, nowNs);
      flows.onTrain(flow, packets * PACKET, packets, nowNs);
      flows.onBulk(flow);
      sent[flow] += (long) packets * PACKET;
      total += (long) packets * PACKET;
    }
    return total;
  }

  @Test
  void shouldTakeFlowsInTurnWithoutRate() {
    final SourceFlows flows = new SourceFlows(3, LeakyBucket.UNLIMITED, 42);
    assertFalse(flows.isLimited());
    final StringBuilder order = new StringBuilder();
    for (int i = 0; i < 7; i++) {
      final int flow = flows.bulk(START_NS);
      flows.onTrain(flow, PACKET, 1, START_NS);
      flows.onBulk(flow);
      order.append(flow);
    }
    assertEquals("0120120", order.toString());
  }

  @Test
  void shouldLeaveOutFlowsThatWait() {
    final SourceFlows flows = new SourceFlows(2, GIGABIT, 0);
    assertTrue(flows.mayStart(START_NS));
    flows.onTrain(SourceFlows.FIRST, 12_500, 1, START_NS);
    assertFalse(flows.mayStart(START_NS));
    assertEquals(1, flows.bulk(START_NS));
    flows.onTrain(1, 25_000, 1, START_NS);
    assertEquals(SourceFlows.NONE, flows.bulk(START_NS));
    assertEquals(START_NS + 100_000, flows.nextBulkNs());
    assertEquals(START_NS + 100_000, flows.nextTrainNs());
    assertEquals(0, flows.bulk(START_NS + 100_000));
  }

  @Test
  void shouldCountHeadersOfEachPacket() {
    final SourceFlows flows = new SourceFlows(1, GIGABIT, 42);
    flows.onTrain(SourceFlows.FIRST, 10_000, 10, START_NS);
    assertEquals(START_NS + (10_000 + 420) * 8, flows.nextTrainNs());
    flows.onUrgent(100, START_NS);
    assertEquals(START_NS + (10_420 + 142) * 8, flows.nextTrainNs());
    assertThrows(IllegalArgumentException.class, () -> new SourceFlows(0, GIGABIT, 42));
  }
}
