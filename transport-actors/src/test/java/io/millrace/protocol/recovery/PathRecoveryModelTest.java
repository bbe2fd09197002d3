package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.congestion.NewReno;
import io.millrace.protocol.congestion.NewRenoSettings;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A sender and a receiver of a path over a network that loses, delays, overtakes and marks, both
 * ways; a ledger checks the rules for every packet and every item.
 */
class PathRecoveryModelTest {
  private static final int BYTES = 1200;
  private static final int MAX_ITEMS = 3;
  private static final byte OUT = 1;
  private static final byte ACKED = 2;
  private static final byte LOST = 3;
  private static final byte SPURIOUS = 4;

  /** An arrival: a data packet, or an acknowledgement as a snapshot of ranges. */
  private record Arrival(long atNs, long order, long packetNumber, List<Long> ranges) {}

  /** The fates of packets and items, checked against the only allowed transitions. */
  private static final class Ledger implements RecoverySink {
    final byte[] packets;
    final byte[] items;
    long retransmitted;

    Ledger(int packetCount) {
      packets = new byte[packetCount];
      items = new byte[packetCount * MAX_ITEMS];
    }

    @Override
    public void onItemAcked(long item) {
      moveItem(item, ACKED);
    }

    @Override
    public void onItemLost(long item) {
      moveItem(item, LOST);
    }

    @Override
    public boolean onItemRetransmit(long item) {
      assertEquals(OUT, items[(int) item]);
      retransmitted++;
      return false;
    }

    @Override
    public void onPacketAcked(long packetNumber, int bytes) {
      assertEquals(BYTES, bytes);
      movePacket(packetNumber, OUT, ACKED);
    }

    @Override
    public void onPacketLost(long packetNumber, int bytes) {
      assertEquals(BYTES, bytes);
      movePacket(packetNumber, OUT, LOST);
    }

    @Override
    public void onSpuriousLoss(long packetNumber) {
      movePacket(packetNumber, LOST, SPURIOUS);
    }

    private void moveItem(long item, byte to) {
      assertEquals(OUT, items[(int) item], "item " + item);
      items[(int) item] = to;
    }

    private void movePacket(long number, byte from, byte to) {
      assertEquals(from, packets[(int) number], "packet " + number);
      packets[(int) number] = to;
    }

    long count(byte state) {
      long count = 0;
      for (byte packet : packets) {
        count += packet == state ? 1 : 0;
      }
      return count;
    }
  }

  private final AckFrames frames = new AckFrames();
  private final ReceivedPackets received = new ReceivedPackets();
  private final PriorityQueue<Arrival> network =
      new PriorityQueue<>(
          Comparator.comparingLong(Arrival::atNs).thenComparingLong(Arrival::order));

  private long nowNs;
  private long order;
  private long nextItem;

  @ParameterizedTest
  @CsvSource({
    "1, 1000000, 10, 50",
    "2, 200000, 0, 0",
    "3, 200000, 300, 0",
    "4, 200000, 0, 400",
    "5, 100000, 500, 500",
    "6, 200000, 2, 5"
  })
  void shouldSettleEveryPacketAndItemExactlyOnce(
      long seed, int packets, int lossPermille, int overtakePermille) {
    final SplittableRandom random = new SplittableRandom(seed);
    final Ledger ledger = new Ledger(packets + 10_000);
    final PathRecovery recovery =
        new PathRecovery(
            RecoverySettings.DEFAULT.forPath(100_000, seed),
            new NewReno(NewRenoSettings.forPath(BYTES, 64 * 1024)));
    final String where = "seed " + seed;
    while (recovery.nextPacketNumber() < packets) {
      sendWhatFits(recovery, ledger, random, packets, lossPermille, overtakePermille);
      step(recovery, ledger, random, lossPermille, overtakePermille);
    }
    while (recovery.packetsInFlight() > 0) {
      if (recovery.probesWanted() > 0) {
        send(recovery, ledger, random, 0, 0);
      }
      step(recovery, ledger, random, 0, 0);
    }
    final RecoveryCounters counters = recovery.counters();
    assertEquals(0, ledger.count(OUT), where);
    assertEquals(ledger.count(ACKED), counters.ackedPackets(), where);
    assertEquals(ledger.count(LOST) + ledger.count(SPURIOUS), counters.lostPackets(), where);
    assertEquals(ledger.count(SPURIOUS), counters.spuriousLosses(), where);
    assertEquals(0, recovery.bytesInFlight(), where);
    for (int item = 0; item < nextItem; item++) {
      assertTrue(ledger.items[item] == ACKED || ledger.items[item] == LOST, where);
    }
    if (lossPermille >= 300) {
      assertTrue(counters.probeTimeouts() > 0 && ledger.retransmitted > 0, where);
    }
    if (lossPermille == 0 && overtakePermille == 0) {
      assertEquals(0, counters.lostPackets(), where);
      assertEquals(0, counters.probeTimeouts(), where);
    }
  }

  private void sendWhatFits(
      PathRecovery recovery,
      Ledger ledger,
      SplittableRandom random,
      int packets,
      int lossPermille,
      int overtakePermille) {
    int budget = 1 + random.nextInt(40);
    while (budget-- > 0
        && recovery.nextPacketNumber() < packets
        && recovery.canSend(BYTES)
        && recovery.canOpenPacket(MAX_ITEMS)) {
      if (random.nextInt(20) == 0) {
        recovery.onUnloggedPacketSent(recovery.nextPacketNumber(), nowNs);
      } else {
        send(recovery, ledger, random, lossPermille, overtakePermille);
      }
    }
  }

  private void send(
      PathRecovery recovery,
      Ledger ledger,
      SplittableRandom random,
      int lossPermille,
      int overtakePermille) {
    final long number = recovery.nextPacketNumber();
    recovery.openPacket(number);
    for (int i = random.nextInt(MAX_ITEMS + 1); i > 0; i--) {
      ledger.items[(int) nextItem] = OUT;
      recovery.addItem(nextItem++);
    }
    recovery.onPacketSent(BYTES, true, nowNs);
    ledger.packets[(int) number] = OUT;
    if (random.nextInt(1000) >= lossPermille) {
      final long extraNs = random.nextInt(1000) < overtakePermille ? random.nextInt(60_000) : 0;
      network.add(new Arrival(nowNs + 50_000 + extraNs, order++, number, List.of()));
    }
  }

  /** Runs the next arrival, acknowledgement or deadline. */
  private void step(
      PathRecovery recovery,
      Ledger ledger,
      SplittableRandom random,
      int lossPermille,
      int overtakePermille) {
    final Arrival next = network.peek();
    final long arrivalNs = next == null ? Long.MAX_VALUE : next.atNs();
    final long wakeNs = Math.min(recovery.nextDeadlineNs(), received.ackDeadlineNs());
    if (next != null && arrivalNs <= wakeNs) {
      network.remove();
      nowNs = Math.max(nowNs, arrivalNs);
      arrive(next, recovery, ledger, random);
    } else if (wakeNs != Long.MAX_VALUE) {
      nowNs = Math.max(nowNs, wakeNs);
      recovery.onDeadline(nowNs, ledger);
    } else {
      nowNs += 1000;
    }
    if (received.isAckDue(nowNs)) {
      sendAck(random, lossPermille, overtakePermille);
    }
  }

  private void arrive(
      Arrival arrival, PathRecovery recovery, Ledger ledger, SplittableRandom random) {
    if (arrival.ranges().isEmpty()) {
      if (received.canAccept(arrival.packetNumber())) {
        received.onPacket(arrival.packetNumber(), true, random.nextInt(5000) == 0, nowNs);
      }
      return;
    }
    recovery.onAnyPacketReceived();
    final long[] ranges = arrival.ranges().stream().mapToLong(Long::longValue).toArray();
    final AckOutcome outcome =
        recovery.onAck(frames.of(0, received.cePackets(), ranges), nowNs, ledger);
    assertEquals(AckOutcome.APPLIED, outcome);
  }

  private void sendAck(SplittableRandom random, int lossPermille, int overtakePermille) {
    final List<Long> ranges = AckFrames.ranges(frames.from(received, nowNs, random.nextInt(1, 40)));
    received.onAckSent();
    if (random.nextInt(3) == 0) {
      received.onReportConfirmed(received.reportedLargest());
    }
    if (random.nextInt(1000) >= lossPermille) {
      final long extraNs = random.nextInt(1000) < overtakePermille ? random.nextInt(60_000) : 0;
      network.add(new Arrival(nowNs + 50_000 + extraNs, order++, -1, ranges));
    }
  }
}
