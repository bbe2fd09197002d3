package io.millrace.protocol.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PathMtuTest {
  @Test
  void shouldSettleOnTheLargestWhenItsProbeArrives() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    assertEquals(1_200, mtu.datagramBytes());
    assertEquals(8_972, mtu.pollProbe());
    assertFalse(mtu.wantsProbe());
    mtu.onProbeAcknowledged(8_972);
    assertEquals(8_972, mtu.datagramBytes());
    assertTrue(mtu.isSettled());
    assertThrows(IllegalStateException.class, mtu::pollProbe);
  }

  @Test
  void shouldTryEachSizeThreeTimesAndThenTheNextLower() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    int[] tried = new int[12];
    for (int i = 0; i < tried.length; i++) {
      tried[i] = mtu.pollProbe();
      mtu.onProbeLost(tried[i]);
    }
    assertEquals(
        "[8972, 8972, 8972, 4400, 4400, 4400, 1472, 1472, 1472, 1452, 1452, 1452]",
        Arrays.toString(tried));
    assertTrue(mtu.isSettled());
    assertEquals(1_200, mtu.datagramBytes());
  }

  @Test
  void shouldObeyTheSystemsLimitAtOnce() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    mtu.pollProbe();
    mtu.onLocalLimit(1_472);
    assertEquals(1_472, mtu.capBytes());
    assertEquals(1_472, mtu.pollProbe());
    mtu.onProbeAcknowledged(1_472);
    mtu.onLocalLimit(1_300);
    assertEquals(1_300, mtu.datagramBytes());
    mtu.onLocalLimit(500);
    assertEquals(1_200, mtu.datagramBytes());
  }

  @Test
  void shouldProbeADoubtfulSizeAgainBeforeGivingItUp() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    mtu.pollProbe();
    mtu.onProbeAcknowledged(8_972);
    mtu.onBlackHole();
    assertEquals(1_200, mtu.datagramBytes());
    assertFalse(mtu.isSettled());
    assertEquals(8_972, mtu.pollProbe());
    mtu.onProbeAcknowledged(8_972);
    assertEquals(8_972, mtu.datagramBytes());
  }

  @Test
  void shouldIgnoreWhatBecomesOfSizesItNoLongerTries() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    mtu.pollProbe();
    mtu.onLocalLimit(4_400);
    mtu.onProbeLost(8_972);
    mtu.onProbeAcknowledged(8_972);
    assertEquals(1_200, mtu.datagramBytes());
    assertEquals(4_400, mtu.pollProbe());
  }

  @Test
  void shouldBeSettledWhereTheCapIsTheBase() {
    assertTrue(new PathMtu(1_200, 1_200).isSettled());
    assertEquals(1_200, new PathMtu(1_200, 600).datagramBytes());
  }

  /** A path at 1,472 of 8,972 bytes, a search anew due. */
  private static PathMtu settledAtEthernet() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    mtu.pollProbe();
    mtu.onProbeAcknowledged(8_972);
    mtu.onLocalLimit(1_472);
    mtu.onTime(5);
    assertFalse(mtu.wantsProbe());
    mtu.onTime(4 + PathMtu.SEARCH_AGAIN_NS);
    assertFalse(mtu.wantsProbe());
    mtu.onTime(5 + PathMtu.SEARCH_AGAIN_NS);
    assertTrue(mtu.wantsProbe());
    return mtu;
  }

  /** Rule M-7. */
  @Test
  void shouldTryALargerSizeAgainLater() {
    PathMtu mtu = settledAtEthernet();
    assertEquals(8_972, mtu.pollProbe());
    assertTrue(mtu.isSettled());
    assertTrue(mtu.isTryingAgain());
    mtu.onProbeLost(8_972);
    assertFalse(mtu.isTryingAgain());
    assertEquals(4_400, mtu.pollProbe());
    mtu.onProbeAcknowledged(4_400);
    assertEquals(4_400, mtu.datagramBytes());
    assertFalse(mtu.wantsProbe());
  }

  /** Rule M-7. */
  @Test
  void shouldEndASearchAnewAtTheWorkingSizeAndBeginAnother() {
    PathMtu mtu = settledAtEthernet();
    mtu.onProbeLost(mtu.pollProbe());
    mtu.onProbeLost(mtu.pollProbe());
    assertFalse(mtu.wantsProbe());
    assertEquals(1_472, mtu.datagramBytes());
    long nowNs = 10 * PathMtu.SEARCH_AGAIN_NS;
    mtu.onTime(nowNs);
    assertFalse(mtu.wantsProbe());
    mtu.onTime(nowNs + PathMtu.SEARCH_AGAIN_NS);
    assertEquals(8_972, mtu.pollProbe());
    mtu.onProbeAcknowledged(8_972);
    mtu.onTime(nowNs + 2 * PathMtu.SEARCH_AGAIN_NS);
    mtu.onTime(nowNs + 4 * PathMtu.SEARCH_AGAIN_NS);
    assertFalse(mtu.wantsProbe());
  }

  /** Rule M-7. */
  @Test
  void shouldDoubtTheWorkingSizeDuringASearchAnew() {
    PathMtu mtu = settledAtEthernet();
    mtu.pollProbe();
    mtu.onBlackHole();
    assertEquals(1_200, mtu.datagramBytes());
    assertFalse(mtu.isSettled());
    assertFalse(mtu.isTryingAgain());
    assertEquals(1_472, mtu.pollProbe());
  }

  /** A slow acknowledgement of a larger size comes after the search went on below that size. */
  @Test
  void shouldEndTheSearchBelowASizeThatTurnsOutToWork() {
    PathMtu mtu = new PathMtu(1_200, 8_972);
    for (int lost = 0; mtu.candidateBytes() == 8_972; lost++) {
      assertTrue(lost < 10, "the largest size is given up");
      mtu.onProbeLost(mtu.pollProbe());
    }
    mtu.pollProbe();

    mtu.onProbeAcknowledged(8_972);

    assertEquals(8_972, mtu.datagramBytes());
    assertTrue(mtu.isSettled());
    assertFalse(mtu.wantsProbe());
  }
}
