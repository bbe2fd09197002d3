package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Paths with little to send, because grants bound the bytes in flight. */
class BbrGrantsTest {
  private static final int PATHS = 200;

  private static GrantedTransfers transfers(
      double rttMs, long budgetBytes, int transfers, boolean isBbr) {
    final GrantedTransfers run =
        new GrantedTransfers(new PathModel(100 * MBIT, PathModel.ms(rttMs)), budgetBytes);
    run.run(PATHS, transfers, seed -> isBbr ? BbrLab.bbr(seed) : BbrLab.newReno());
    return run;
  }

  /** The queue of the receiver's link is up to 160 ms long with the largest budget. */
  @ParameterizedTest
  @CsvSource({"0.2, 48", "0.2, 256", "2, 256", "2, 2048"})
  void shouldBeInNobodysWayWhereGrantsBoundWhatIsOutstanding(double rttMs, long budgetKib) {
    final GrantedTransfers bbr = transfers(rttMs, budgetKib << 10, 2, true);
    final GrantedTransfers newReno = transfers(rttMs, budgetKib << 10, 2, false);
    assertTrue(bbr.doneNs <= 1.005 * bbr.idealNs(), () -> bbr.doneNs + " of " + bbr.idealNs());
    assertTrue(bbr.medianNs() <= 1.02 * newReno.medianNs(), () -> bbr.medianNs() + " ns");
    assertTrue(bbr.p99Ns() <= 1.1 * newReno.p99Ns(), () -> bbr.p99Ns() + " ns");
    assertEquals(0, bbr.path.droppedPackets);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 0.04", "2, 0.2", "20, 1"})
  void shouldNotSpreadShortTransfersOverTheRoundTrip(double rttMs, double lateMs) {
    final PathModel path = new PathModel(10_000 * MBIT, PathModel.ms(rttMs));
    final GrantedTransfers run = new GrantedTransfers(path, GrantedTransfers.TRANSFER_BYTES);
    run.run(1, 50, BbrLab::bbr);
    assertTrue(run.medianNs() <= PathModel.ms(rttMs / 2 + lateMs), () -> run.medianNs() + " ns");
  }

  /** The first round trip was measured while the receiver's queue was long. */
  @Test
  void shouldForgetRoundTripThatQueueMadeLong() {
    final BbrLab lab = new BbrLab(1000 * MBIT, 1);
    lab.path.extraDelayNs = packet -> PathModel.ms(150);
    lab.flow.offer(16 << 10);
    lab.path.runFor(SECOND);
    lab.path.extraDelayNs = packet -> 0;
    lab.transferNs(16 << 10, 100);
    final double ms = lab.transferNs(16 << 10, 100) / 1e6;
    assertTrue(ms < 1 + 0.6, () -> ms + " ms");
    final double bulkMs = lab.transferNs(10_000_000, 1000) / 1e6;
    assertTrue(bulkMs < 150, () -> bulkMs + " ms");
  }

  /** A bandwidth measured in a crowd does not slow transfers after the crowd. */
  @Test
  void shouldSendShortTransferAtOnceAfterBusyTime() {
    final BbrLab lab = new BbrLab(MBIT, 2).endlesslyUntil(BbrState.CRUISE);
    lab.path.runFor(SECOND);
    lab.flow.stop();
    lab.path.runFor(SECOND);
    lab.path.setBitsPerSecond(1000 * MBIT);
    final long startNs = lab.path.nowNs;
    lab.flow.offer(4 * DATAGRAM);
    assertTrue(lab.path.run(() -> lab.flow.waitingBytes == 0, startNs + PathModel.ms(0.5)));
  }
}
