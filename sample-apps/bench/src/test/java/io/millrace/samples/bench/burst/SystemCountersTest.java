package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SystemCountersTest {
  @Test
  void shouldTellHowBusyEachCoreWas() {
    List<SystemCounters.Core> before =
        SystemCounters.parseCores(
            List.of(
                "cpu  20 0 0 0 0 0 0 0 0 0",
                "cpu0 10 0 0 100 5 0 0 0 0 0",
                "cpu1 10 0 0 0 0 0 0 0 0 0",
                "intr 7"));
    List<SystemCounters.Core> after =
        SystemCounters.parseCores(
            List.of("cpu0 20 0 10 165 20 0 0 0 0 0", "cpu1 50 0 60 0 0 0 0 0 0 0"));
    assertEquals(List.of(0.2, 1.0), SystemCounters.busy(before, after));
  }

  @Test
  void shouldFindTheSegmentsThatTcpSentAgain() {
    assertEquals(
        17,
        SystemCounters.parseRetransmitted(
            List.of(
                "Ip: Forwarding DefaultTTL",
                "Ip: 1 64",
                "Tcp: RtoAlgorithm InSegs RetransSegs InErrs",
                "Tcp: 1 99 17 0")));
  }
}
