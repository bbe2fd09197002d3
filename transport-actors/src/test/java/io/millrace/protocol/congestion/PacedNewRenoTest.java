package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NewReno flow that is paced, beside the same flow without pacing; decision 52. */
class PacedNewRenoTest {
  private static final int FLOWS = 20;
  private static final long EACH_BYTES = 512 << 10;

  private static NewReno paced() {
    return new NewReno(NewRenoSettings.forPath(DATAGRAM, BbrLab.TRAIN).paced());
  }

  private static NewReno newReno(boolean isPaced) {
    return isPaced ? paced() : BbrLab.newReno();
  }

  /** Many flows from the start, through a queue that holds less than their windows. */
  private static PathModel crowd(boolean isPaced) {
    final PathModel path = new PathModel(100 * MBIT, PathModel.ms(0.2));
    path.queueLimitBytes = 256 << 10;
    final long[] ackedBytes = {0};
    final ModelFlow[] flows = new ModelFlow[FLOWS];
    for (int i = 0; i < FLOWS; i++) {
      flows[i] = path.flow(newReno(isPaced), DATAGRAM);
      flows[i].offer(EACH_BYTES);
    }
    assertTrue(
        path.run(
            () -> {
              ackedBytes[0] = 0;
              for (ModelFlow flow : flows) {
                ackedBytes[0] += Math.min(flow.ackedBytes, EACH_BYTES);
              }
              return ackedBytes[0] == FLOWS * EACH_BYTES;
            },
            10 * SECOND));
    return path;
  }

  @Test
  void shouldLoseLessInACrowd() {
    final PathModel unpaced = crowd(false);
    final PathModel paced = crowd(true);
    assertTrue(paced.nowNs <= 1.01 * unpaced.nowNs, () -> paced.nowNs + " ns");
    assertTrue(
        paced.droppedPackets <= 0.8 * unpaced.droppedPackets,
        () -> paced.droppedPackets + " of " + unpaced.droppedPackets);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.1, 2, 20})
  void shouldTakeNoLongerForShortTransfers(double rttMs) {
    assertEquals(medianNs(false, rttMs), medianNs(true, rttMs));
  }

  private static long medianNs(boolean isPaced, double rttMs) {
    final PathModel path = new PathModel(10_000 * MBIT, PathModel.ms(rttMs));
    final GrantedTransfers run = new GrantedTransfers(path, GrantedTransfers.TRANSFER_BYTES);
    run.run(1, 50, seed -> newReno(isPaced));
    return run.medianNs();
  }

  @Test
  void shouldFollowTheBottleneckToThirdAndBack() {
    final PathModel path = new PathModel(90 * MBIT, PathModel.ms(20));
    path.queueLimitBytes = path.bdpBytes();
    path.flow(paced(), DATAGRAM).offerEndlessly();
    path.runFor(2 * SECOND);
    path.setBitsPerSecond(30 * MBIT);
    path.runFor(SECOND);
    path.setBitsPerSecond(90 * MBIT);
    final long before = path.carriedBytes;
    path.runFor(3 * SECOND);
    final double used = (path.carriedBytes - before) / (3.0 * path.bytesPerSecond);
    assertTrue(used > 0.95, () -> "a share of " + used);
  }
}
