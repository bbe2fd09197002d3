package io.millrace.protocol.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many senders with the real machines of both sides; frames arrive in random order. */
class RegionFairnessTest {
  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;
  private static final int STEPS = 20_000_000;

  private static RegionPoolSettings pool(long budgetBytes, long quarantineNs) {
    return new RegionPoolSettings(
        List.of(64 * KIB, 256 * KIB),
        List.of(64, 48),
        budgetBytes,
        64 * KIB,
        4 * MIB,
        new RegionReserve(10, 2),
        true,
        new RegionTimes(2_000_000, 1_000_000_000, 1_000_000_000, quarantineNs));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1048576, 16777216, 0",
    "2, 1048576,  4194304, 100000",
    "3, 1048576,  1048576, 1000000",
    "4,  262144,    65536, 1000000",
    "5,  262144,   100000, 0"
  })
  void shouldServe300SendersFrom16MiBWithinTheBudget(
      long seed, int bytes, long budgetBytes, long quarantineNs) {
    Random random = new Random(seed);
    SimulatedReceiver receiver = new SimulatedReceiver(pool(budgetBytes, quarantineNs), random);
    List<SimulatedSender> senders = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      senders.add(new SimulatedSender(receiver, random, 3, bytes));
    }
    int steps = run(receiver, senders, bytes, random);
    assertTrue(receiver.pool.peakOutstandingBytes() <= budgetBytes);
    assertTrue(receiver.pool.peakOutstandingBytes() > budgetBytes / 2);
    int requests = senders.stream().mapToInt(s -> s.requests).sum();
    System.out.printf(
        "seed %d budget %d: %d steps, %d us, %d requests, %d granted, %d reused, %d pressed, %d"
            + " exhausted%n",
        seed,
        budgetBytes,
        steps,
        receiver.nowNs / 1000,
        requests,
        receiver.pool.counters().granted(),
        receiver.pool.counters().reused(),
        receiver.pool.counters().revokedUnderPressure(),
        receiver.exhausted);
  }

  private static int run(
      SimulatedReceiver receiver, List<SimulatedSender> senders, long bytes, Random random) {
    int steps = 0;
    while (senders.stream().anyMatch(s -> s.takenOutBytes < bytes) && steps < STEPS) {
      for (int i = 0; i < 500; i++) {
        senders.get(random.nextInt(senders.size())).step();
        receiver.step();
        steps++;
      }
    }
    for (SimulatedSender sender : senders) {
      assertEquals(bytes, sender.takenOutBytes, "after " + steps + " steps");
    }
    return steps;
  }

  @Test
  void shouldCompleteWhenManyRecordsMustBeWrittenAgain() {
    Random random = new Random(9);
    SimulatedReceiver receiver = new SimulatedReceiver(pool(200 * KIB, 100_000), random);
    receiver.wrongRecordsIn1000 = 200;
    List<SimulatedSender> senders = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      senders.add(new SimulatedSender(receiver, random, i % 8, MIB));
    }
    run(receiver, senders, MIB, random);
    assertTrue(receiver.repairs > 100);
    assertTrue(receiver.pool.peakOutstandingBytes() <= 200 * KIB);
  }
}
