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
}
