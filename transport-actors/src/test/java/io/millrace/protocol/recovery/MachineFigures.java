package io.millrace.protocol.recovery;

import com.sun.management.ThreadMXBean;
import io.millrace.protocol.congestion.NewReno;
import io.millrace.protocol.congestion.NewRenoSettings;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.SchedulerPolicy;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.AckEncoder;
import java.lang.management.ManagementFactory;
import java.util.function.LongConsumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Prints what one operation of the machines costs, ns and bytes of garbage: the best of some rounds
 * after as many for the compiler. Run by hand, without assertions; not a test.
 */
final class MachineFigures {
  private static final int ROUNDS = 8;
  private static final int OPERATIONS = 4_000_000;
  private static final int BYTES = 1200;
  private static final int PEERS = 256;

  private static long sink;

  private MachineFigures() {}

  /** Runs all figures. */
  public static void main(String[] args) {
    wheel();
    scheduler();
    receive();
    for (int packetsPerAck : new int[] {1, 2, 32}) {
      recover(packetsPerAck, false);
    }
    recover(32, true);
    System.out.println("(" + sink + ")");
  }

  private static void measure(String name, LongConsumer operation) {
    final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    double bestNs = Double.MAX_VALUE;
    double leastBytes = Double.MAX_VALUE;
    long i = 0;
    for (int round = 0; round < 2 * ROUNDS; round++) {
      final long startBytes = threads.getCurrentThreadAllocatedBytes();
      final long startNs = System.nanoTime();
      for (int n = 0; n < OPERATIONS; n++) {
        operation.accept(i++);
      }
      final double ns = (double) (System.nanoTime() - startNs) / OPERATIONS;
      final long bytes = threads.getCurrentThreadAllocatedBytes() - startBytes;
      if (round >= ROUNDS) {
        bestNs = Math.min(bestNs, ns);
        leastBytes = Math.min(leastBytes, (double) bytes / OPERATIONS);
      }
    }
    System.out.printf("%-60s %8.1f ns %8.3f B%n", name, bestNs, leastBytes);
  }

  private static void wheel() {
    final TimingWheel wheel =
        new TimingWheel(TimingWheel.DEFAULT_TICK_NS, TimingWheel.DEFAULT_SLOTS, 0);
    final Timer[] timers = new Timer[PEERS];
    for (int i = 0; i < PEERS; i++) {
      timers[i] = new Timer((timer, nowNs) -> sink++, i);
    }
    measure(
        "wheel: schedule + cancel",
        i -> {
          wheel.schedule(timers[(int) i & (PEERS - 1)], i + 1_000_000);
          wheel.cancel(timers[(int) i & (PEERS - 1)]);
        });
    measure(
        "wheel: move to a later deadline",
        i -> wheel.schedule(timers[(int) i & (PEERS - 1)], i * 100 + 1_000_000));
    final TimingWheel busy =
        new TimingWheel(TimingWheel.DEFAULT_TICK_NS, TimingWheel.DEFAULT_SLOTS, 0);
    measure(
        "wheel: move later + advance by 100 ns, 256 timers",
        i -> {
          busy.schedule(timers[(int) i & (PEERS - 1)], i * 100 + 1_000_000);
          busy.advance(i * 100);
        });
    measure(
        "wheel: schedule + fire, 256 timers",
        i -> {
          final long nowNs = (8_000_000_000L + i) * 1_000;
          busy.schedule(timers[(int) i & (PEERS - 1)], nowNs + 250_000);
          busy.advance(nowNs);
        });
  }

  private static void scheduler() {
    final PriorityScheduler<Integer> scheduler = new PriorityScheduler<>(SchedulerPolicy.WEIGHTED);
    for (int i = 0; i < PEERS; i++) {
      scheduler.activate(new Schedulable<>(i), i & 7);
    }
    measure(
        "scheduler: poll + charge + activate, 256 entries on 8 levels",
        i -> {
          final Schedulable<Integer> entry = scheduler.poll();
          if (entry != null) {
            scheduler.charge(scheduler.polledLevel(), BYTES);
            scheduler.activate(entry, scheduler.polledLevel());
          }
        });
  }

  private static void receive() {
    final ReceivedPackets inOrder = new ReceivedPackets();
    measure(
        "received: canAccept + onPacket",
        i -> {
          if (inOrder.canAccept(i)) {
            inOrder.onPacket(i, true, false, i * 100);
          }
        });
    final AckEncoder encoder = new AckEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
    measure(
        "received: encodeAck, no gaps",
        i -> {
          encoder.wrap(buffer, 0);
          sink += inOrder.encodeAck(encoder, i, i, 32);
        });
    final ReceivedPackets gaps = new ReceivedPackets();
    for (int i = 0; i < 10_000; i++) {
      if (i % 100 != 0) {
        gaps.onPacket(i, true, false, i);
      }
    }
    measure(
        "received: encodeAck, 32 gaps",
        i -> {
          encoder.wrap(buffer, 0);
          sink += gaps.encodeAck(encoder, i, i, 32);
        });
  }

  private static void recover(int packetsPerAck, boolean isLossy) {
    final PathRecovery recovery =
        new PathRecovery(
            RecoverySettings.DEFAULT, new NewReno(NewRenoSettings.forPath(BYTES, 65_536)));
    final ReceivedPackets received = new ReceivedPackets();
    final AckEncoder encoder = new AckEncoder();
    final AckDecoder decoder = new AckDecoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
    final Counting counting = new Counting();
    measure(
        "recovery: 1 packet of 4 items sent + received, 1/"
            + packetsPerAck
            + " Ack"
            + (isLossy ? ", 1 % lost" : ""),
        i -> {
          final long nowNs = i * 200;
          recovery.openPacket(i);
          recovery.addItem(i);
          recovery.addItem(i + 1);
          recovery.addItem(i + 2);
          recovery.addItem(i + 3);
          recovery.onPacketSent(BYTES, true, nowNs);
          if (!isLossy || i % 100 != 50) {
            received.onPacket(i, true, false, nowNs);
          }
          if (i % packetsPerAck == packetsPerAck - 1) {
            encoder.wrap(buffer, 0);
            received.encodeAck(encoder, nowNs, 0, 32);
            received.onAckSent();
            received.onReportConfirmed(received.reportedLargest() - 256);
            decoder.wrap(buffer, 0, AckEncoder.BLOCK_LENGTH, AckEncoder.SCHEMA_VERSION);
            recovery.onAnyPacketReceived();
            recovery.onAck(decoder, nowNs + 50, counting);
          }
        });
    sink += counting.items + recovery.counters().lostPackets();
  }

  /** Counts what is reported, so that reporting is not optimised away. */
  private static final class Counting implements RecoverySink {
    long items;

    @Override
    public void onItemAcked(long item) {
      items += item;
    }

    @Override
    public void onItemLost(long item) {
      items -= item;
    }

    @Override
    public boolean onItemRetransmit(long item) {
      items ^= item;
      return false;
    }
  }
}
