package io.millrace.samples.bench.burst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.burst.link.LinkChange;
import io.millrace.samples.bench.burst.link.LinkUse;
import io.millrace.samples.bench.burst.link.QueueSample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BurstRowTest {
  private static final int TRANSFERS = 100;
  private static final BurstOptions OPTIONS =
      BurstOptions.parse(List.of("--transfers", String.valueOf(TRANSFERS), "--size", "8900"));
  private static final long IDEAL_NS = OPTIONS.idealNs(8_900);

  @Test
  void shouldReachTheLinkWhenTheLastTransferEndsAtTheIdealTime() {
    BurstRow row = row(round(TRANSFERS, 1, List.of(0.5, 0.99)));
    assertEquals(1, row.goodputOfLink(), 1e-3);
    assertEquals(0.5, row.endOverIdeal(0.5), 1e-3);
    assertEquals(1, row.endOverIdeal(1), 1e-3);
    assertEquals(1, row.done());
    assertFalse(row.isBoundByProcessor());
  }

  @Test
  void shouldCountWhatNeverCameAsEndedWithTheRun() {
    BurstRow row = row(round(20, 1, List.of(1.0, 1.0)));
    assertEquals(0.2, row.done());
    assertEquals(0.2, row.goodputOfLink(), 1e-3);
    assertEquals(3, row.endOverIdeal(0.5), 1e-3);
  }

  @Test
  void shouldTakeTheRoundWithTheMedianGoodput() {
    BurstRow row =
        row(
            round(TRANSFERS, 4, List.of(1.0)),
            round(TRANSFERS, 1, List.of(1.0)),
            round(TRANSFERS, 2, List.of(0.95)));
    assertEquals(0.5, row.goodputOfLink(), 1e-3);
    assertTrue(row.isBoundByProcessor());
    assertEquals(3, row.goodputs().size());
    assertEquals(0.25, row.goodputs().getFirst(), 1e-3);
  }

  @Test
  void shouldTellDropsByWhatWasOffered() {
    BurstRow row = row(round(TRANSFERS, 1, List.of(1.0)));
    assertEquals(0.1, row.dropFraction());
    assertEquals(5, row.probeNs(0.5));
    assertEquals(9, row.probeNs(0.99));
  }

  /** A reader of the table must not mistake the figures of such a run for a whole run's. */
  @Test
  void shouldReportARunThatWasGivenUp() throws Exception {
    String why = "no progress for 10 s";
    BurstRow row = row(round(20, 1, List.of(1.0), new BurstWatch.End(3, 3 * IDEAL_NS, why)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    new BurstReport(OPTIONS, List.of(row)).printTable(out);
    assertTrue(bytes.toString(UTF_8).contains(", 3 failed, gave up: " + why), bytes::toString);
    assertEquals(why, row.toJson().get("gave_up"));
    assertNull(row(round(TRANSFERS, 1, List.of(1.0))).toJson().get("gave_up"));
  }

  @Test
  void shouldTellTheFiguresOfAnIncast() {
    BurstRow row = row(round(TRANSFERS, 1, List.of(0.5, 0.99)));
    assertEquals(0.9, row.packetsPerTransfer());
    assertEquals(0.1, row.retransmissionsPerNewPacket());
    assertEquals(1.5, row.spread());
    assertEquals(2_000, row.receiverNsPerTransfer());
    assertEquals(3_000, row.peersNsPerTransfer());
    assertEquals(65_536 * 80, row.queueDrainNs());
    assertTrue(row.use().isEmpty());
  }

  /** The samples of this test are at 0 and 1 ns. */
  @Test
  void shouldTellTheUseOfALinkThatChanged() {
    BurstRound round = round(TRANSFERS, 1, List.of(1.0));
    LinkChange change = new LinkChange(1, 2, OPTIONS.rate, OPTIONS.rate / 3);
    BurstRound changed =
        new BurstRound(
            round.times(),
            round.end(),
            round.startNs(),
            round.samples(),
            round.processor(),
            0,
            Map.of(),
            Map.of(),
            change);
    LinkUse use = row(changed).use().orElseThrow();
    assertEquals(900 * 8e9 / OPTIONS.rate, use.before(), 1e-3);
    assertEquals(-1, use.backNs());
  }

  @Test
  void shouldTellTheWorkOfTheKernelForEachTransfer() {
    BurstRound round =
        round(TRANSFERS, 1, List.of(1.0))
            .with(Map.of("receiver_calls_sendmmsg", 25L, "receiver_calls_epoll_wait", 200L));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    row(round).perCall().print("tcp", new PrintStream(bytes, true, UTF_8));
    assertEquals(
        List.of(
            "each call, tcp:",
            "  receiver 1.50 packets sent, 0.00 and 0.00 context switches (voluntary, not);"
                + " 0.25 sendmmsg; waits: 2.00 epoll_wait",
            "  senders  1.10 packets sent, 0.50 and 0.00 context switches (voluntary, not)"),
        bytes.toString(UTF_8).lines().toList());
    assertEquals(0.25, row(round).perCall().toJson().get("receiver_calls_sendmmsg"));
  }

  private static BurstRow row(BurstRound... rounds) {
    return BurstRow.of(OPTIONS, "millrace", BurstShape.INCAST, 8_900, List.of(rounds));
  }

  private static BurstRound round(int done, int slower, List<Double> busy) {
    return round(done, slower, busy, new BurstWatch.End(0, 3 * IDEAL_NS, ""));
  }

  private static BurstRound round(int done, int slower, List<Double> busy, BurstWatch.End end) {
    List<Long> ends =
        LongStream.rangeClosed(1, done).mapToObj(i -> IDEAL_NS * slower * i / TRANSFERS).toList();
    return new BurstRound(
        new BurstRound.Times(ends, List.of(IDEAL_NS, IDEAL_NS * 3 / 2), List.of(4L, 5L, 9L)),
        end,
        0,
        List.of(new QueueSample(0, 0, 10, 1, 0), new QueueSample(1, 900, 100, 11, 0)),
        new BurstRound.Processor(200_000, 300_000, busy),
        10,
        Map.of(
            "receiver_link_packets",
            150L,
            "senders_link_packets",
            110L,
            "senders_voluntary_switches",
            50L),
        Map.of(),
        null);
  }
}
