package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The use of several kinds of paths by a Bbr flow. */
class BbrPathsTest {
  private static final long TRANSFER_BYTES = 10_000_000;

  private static void assertShare(double share, DoublePredicate isRight) {
    assertTrue(isRight.test(share), () -> "a share of " + share);
  }

  /** The duration of 10 MB, with our headers. */
  @ParameterizedTest
  @CsvSource({"100, 10, 1.05", "1000, 4, 0.25", "1, 300, 86"})
  void shouldTransferInTime(int megabits, double rttMs, double limitSeconds) {
    final BbrLab lab = new BbrLab(megabits * MBIT, rttMs);
    final double seconds = lab.transferNs(TRANSFER_BYTES, 200_000) / 1e9;
    assertTrue(seconds <= limitSeconds, () -> seconds + " s");
  }

  /** Draft test "Achieving Expected Cruise Bandwidth on a Link With Aggregation". */
  @Test
  void shouldNotPauseBetweenHeapsOfAcknowledgements() {
    final BbrLab lab = new BbrLab(50 * MBIT, 20);
    lab.path.ackIntervalNs = PathModel.ms(20);
    lab.endlesslyUntil(BbrState.CRUISE);
    lab.path.runFor(PathModel.ms(100));
    assertEquals(BbrState.CRUISE, lab.bbr.state());
    final long heap = lab.path.bytesPerSecond / 50;
    assertShare(lab.utilisation(1000), share -> share > 0.98);
    assertEquals(BbrState.CRUISE, lab.bbr.state());
    assertTrue(lab.bbr.extraAckedBytes() > 0.9 * heap, lab::toString);
    assertTrue(lab.bbr.windowBytes() > 2 * lab.path.bdpBytes() + 0.9 * heap, lab::toString);
  }

  /** Draft test "Correctly Managing Sub-Packet BDPs". */
  @Test
  void shouldKeepFourPacketsOnPathThatHoldsLessThanOne() {
    final BbrLab lab = new BbrLab(MBIT, 2);
    assertTrue(lab.path.bdpBytes() < DATAGRAM);
    lab.endlesslyUntil(BbrState.CRUISE);
    assertShare(lab.utilisation(5000), share -> share > 0.98);
    assertTrue(lab.bbr.windowBytes() >= 4 * DATAGRAM);
    assertTrue(lab.bbr.windowBytes() <= 6 * DATAGRAM);
    final double rate = (double) lab.bbr.pacingRateBytesPerSecond() / lab.path.bytesPerSecond;
    assertTrue(rate > 0.85 && rate < 1.3, lab::toString);
  }

  /** Draft test "Handling Token Bucket Policers". */
  @Test
  void shouldSettleAtTheRateOfPolicer() {
    final BbrLab lab = new BbrLab(100 * MBIT, 20);
    lab.path.police(20 * MBIT, 50_000);
    lab.flow.offerEndlessly();
    lab.path.runFor(4 * SECOND);
    final long sent = lab.path.sentPackets;
    final long dropped = lab.path.droppedPackets;
    int quiet = 0;
    double used = 0;
    for (int i = 0; i < 80; i++) {
      final long before = lab.path.droppedPackets;
      used += lab.utilisation(100) / 80;
      quiet += before == lab.path.droppedPackets ? 1 : 0;
    }
    assertShare(used, share -> share > 0.95 * 0.2);
    final double lost =
        (double) (lab.path.droppedPackets - dropped) / (lab.path.sentPackets - sent);
    assertShare(lost, share -> share < 0.025);
    final int tenths = quiet;
    assertTrue(tenths > 48, () -> "only " + tenths + " of 80 tenths of a second without loss");
  }

  @Test
  void shouldShareTheBottleneckWithAnother() {
    final PathModel path = new PathModel(20 * MBIT, PathModel.ms(20));
    path.queueLimitBytes = 2 * path.bdpBytes();
    final ModelFlow first = path.flow(BbrLab.bbr(1), DATAGRAM);
    final ModelFlow second = path.flow(BbrLab.bbr(2), DATAGRAM);
    first.offerEndlessly();
    path.at(SECOND, second::offerEndlessly);
    path.runFor(11 * SECOND);
    final long firstBefore = first.ackedBytes;
    final long secondBefore = second.ackedBytes;
    path.runFor(4 * SECOND);
    final double whole = 4.0 * path.bytesPerSecond;
    final double ofFirst = (first.ackedBytes - firstBefore) / whole;
    final double ofSecond = (second.ackedBytes - secondBefore) / whole;
    assertShare(ofFirst, share -> share > 0.35);
    assertShare(ofSecond, share -> share > 0.35);
    assertShare(ofFirst + ofSecond, share -> share > 0.95);
    assertShare((double) path.droppedPackets / path.sentPackets, share -> share < 0.01);
  }

  /** NewReno runs beside Bbr, on a path of its own. */
  @ParameterizedTest
  @CsvSource({"0, 0.98, 1.01", "1000, 0.9, 0.6", "10000, 0.7, 0.2", "50000, 0.08, 0.08"})
  void shouldUsePathWithRandomLoss(long lossPpm, double least, double mostOfNewReno) {
    final BbrLab lab = new BbrLab(100 * MBIT, 10);
    lab.path.lossPpm = lossPpm;
    lab.path.queueLimitBytes = 2 * lab.path.bdpBytes();
    lab.flow.offerEndlessly();
    lab.path.runFor(SECOND);
    assertShare(lab.utilisation(4000), share -> share > least);

    final PathModel other = new PathModel(100 * MBIT, PathModel.ms(10));
    other.lossPpm = lossPpm;
    other.queueLimitBytes = 2 * other.bdpBytes();
    other.flow(BbrLab.newReno(), DATAGRAM).offerEndlessly();
    other.runFor(SECOND);
    final long before = other.carriedBytes;
    other.runFor(4 * SECOND);
    assertShare(
        (other.carriedBytes - before) / (4.0 * other.bytesPerSecond),
        share -> share <= mostOfNewReno);
  }

  @Test
  void shouldFollowTheBottleneckToThirdAndBack() {
    final BbrLab lab = new BbrLab(30 * MBIT, 20);
    lab.path.queueLimitBytes = lab.path.bdpBytes();
    lab.flow.offerEndlessly();
    lab.path.runFor(2 * SECOND);
    lab.path.setBitsPerSecond(10 * MBIT);
    lab.path.runFor(3 * SECOND);
    final long dropped = lab.path.droppedPackets;
    final long sent = lab.path.sentPackets;
    assertShare(lab.utilisation(3000), share -> share > 0.95);
    assertShare(
        (double) (lab.path.droppedPackets - dropped) / (lab.path.sentPackets - sent),
        share -> share < 0.01);
    lab.path.setBitsPerSecond(30 * MBIT);
    lab.path.runFor(3 * SECOND);
    assertShare(lab.utilisation(3000), share -> share > 0.95);
  }

  @Test
  void shouldKeepTheQueueOfMarkingBottleneckShort() {
    final BbrLab lab = new BbrLab(40 * MBIT, 20);
    lab.path.markAboveBytes = lab.path.bdpBytes() / 5;
    lab.flow.offerEndlessly();
    lab.path.runFor(SECOND);
    lab.path.maxQueuedBytes = 0;
    assertShare(lab.utilisation(4000), share -> share > 0.95);
    assertTrue(lab.path.maxQueuedBytes < 0.7 * lab.path.bdpBytes(), lab::toString);
    assertTrue(lab.bbr.longTerm().bytes() < 2 * lab.path.bdpBytes(), lab::toString);
    assertEquals(0, lab.path.droppedPackets);
  }

  @Test
  void shouldSendTrainsThroughSmallQueue() {
    final BbrLab lab = new BbrLab(500 * MBIT, 8);
    lab.flow.trainPackets = BbrLab.TRAIN / DATAGRAM;
    lab.path.queueLimitBytes = lab.path.bdpBytes() / 2;
    lab.flow.offerEndlessly();
    lab.path.runFor(SECOND / 4);
    assertShare(lab.utilisation(250), share -> share > 0.9);
  }
}
