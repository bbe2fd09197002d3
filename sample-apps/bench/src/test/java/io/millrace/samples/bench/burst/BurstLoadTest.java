package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BurstLoadTest {
  /** The second caller has an unfinished transfer, the fourth caller has no transfer. */
  @Test
  void shouldEndACallerWithItsLastTransfer() {
    long[] endsNs = {10, 20, 90, 40, -1, 30};
    int[] callerOf = {0, 1, 2, 0, 1, 2};
    assertArrayEquals(new long[] {40, 90}, BurstLoad.callersNs(endsNs, callerOf, 4));
  }

  /** Seven peers in groups of three, three and one; a second turn of only four transfers. */
  @Test
  void shouldDecideWhenMoreThanHalfOfEachGroupHaveAnswered() {
    long[] endsNs = {10, 90, 20, 30, 80, -1, 15, 11, 99, 12, 70};
    assertEquals(80, BurstLoad.quorumNs(endsNs, 7, 3));
    endsNs[4] = -1;
    assertEquals(-1, BurstLoad.quorumNs(endsNs, 7, 3));
  }
}
