package io.millrace.samples.bench.burst;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SideCountersTest {
  @Test
  void shouldCountPacketsThatLeftByTheLink() {
    assertEquals(
        12,
        SideCounters.parsePacketsSent(
            List.of(
                "Inter-|   Receive                            |  Transmit",
                " face |bytes    packets errs drop fifo frame compressed multicast|bytes   "
                    + " packets",
                "    lo: 10 20 0 0 0 0 0 0 30 40 0 0 0 0 0 0",
                "    r0:1100 21 0 0 0 0 0 0 31 12 0 0 0 0 0 0")));
  }

  @Test
  void shouldReadTheContextSwitchesOfAThread() {
    List<String> status = List.of("voluntary_ctxt_switches:\t7", "nonvoluntary_ctxt_switches:\t3");
    assertEquals(7, SideCounters.value(status, "voluntary_ctxt_switches:"));
    assertEquals(3, SideCounters.value(status, "nonvoluntary_ctxt_switches:"));
  }

  @Test
  void shouldReadTheSystemCallsThatPerfCounted() {
    assertEquals(
        Map.of("sendmmsg", 44L),
        SystemCalls.parse(
            List.of(
                "# started on Sat",
                "",
                "44,,syscalls:sys_enter_sendmmsg,1000,100.00,,",
                "0,,syscalls:sys_enter_poll,1000,100.00,,",
                "<not counted>,,syscalls:sys_enter_futex,0,100.00,,")));
  }
}
