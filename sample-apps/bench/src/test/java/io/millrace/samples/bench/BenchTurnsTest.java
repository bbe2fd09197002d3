package io.millrace.samples.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.RoundResult;
import io.millrace.samples.bench.peer.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Turns of peers that take time on a clock of the test alone. */
final class BenchTurnsTest {
  private static final long S = TimeUnit.SECONDS.toNanos(1);
  private static final RoundResult RESULT = new RoundResult(100, S, 50, 90, 0);
  private static final int PEERS = 3;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private long nowNs = S;
  private int turns;

  /** Is disturbed in some turns, and then the compilers are busy as well. */
  private final class Taker implements BenchTurns.Taker {
    private final BenchPeer peer;
    private final IntPredicate isDisturbed;
    private final long aroundNs;

    Taker(BenchPeer peer, long aroundMs, IntPredicate isDisturbed) {
      this.peer = peer;
      this.isDisturbed = isDisturbed;
      aroundNs = TimeUnit.MILLISECONDS.toNanos(aroundMs);
    }

    @Override
    public BenchPeer peer() {
      return peer;
    }

    @Override
    public Round run(Workload workload, long durationMs) {
      nowNs += TimeUnit.MILLISECONDS.toNanos(durationMs) + aroundNs;
      Usage usage = isDisturbed.test(turns++) ? usage(900) : usage(0);
      return new Round(RESULT, usage, usage);
    }
  }

  private static Usage usage(long waitedNs) {
    return new Usage(1_000, 1_000, 1_000 - waitedNs, waitedNs, 0, List.of("t:99%"));
  }

  /** Runs {@code bench --baseline}, with starts of this length. */
  private BenchTurns.Outcome run(long startsNs, long aroundMs, IntPredicate isDisturbed)
      throws Exception {
    BenchOptions options =
        BenchOptions.parse(
            List.of(
                "--rounds",
                "9",
                "--seconds",
                "1",
                "--workload",
                "unary_rtt_p50_32B,unary_rate_32B_256,unary_rate_1344B_256,bulk_bytes_per_s"));
    List<BenchPeer> peers =
        Stream.of("a", "b", "c").<BenchPeer>map(name -> new FakePeer(name, name)).toList();
    BenchTurns run =
        new BenchTurns(options, peers, () -> nowNs, new PrintStream(said, true, UTF_8));
    nowNs += startsNs;
    return run.run(peers.stream().map(peer -> new Taker(peer, aroundMs, isDisturbed)).toList());
  }

  @Test
  void shouldTakeAboutTheAnnouncedTimeOnAQuietMachine() throws Exception {
    BenchTurns.Outcome outcome = run(6 * S, 50, turn -> false);
    assertEquals(4 * PEERS * 9, outcome.clean());
    assertEquals(0, outcome.repeats());
    assertFalse(outcome.isOutOfTime());
    assertTrue(outcome.tookNs() <= outcome.announcedNs(), "took " + outcome.tookNs());
    assertTrue(outcome.tookNs() > outcome.announcedNs() * 0.8, "took " + outcome.tookNs());
    assertTrue(said.toString(UTF_8).startsWith("bench: about 3 min 9 s; at most 6 min 18 s"));
  }

  /** The time for repeats is for all workloads, not for the first workload alone. */
  @Test
  void shouldEndWithinTwiceTheAnnouncedTimeOnAMachineThatIsDisturbedThroughout() throws Exception {
    BenchTurns.Outcome outcome = run(9 * S, 50, turn -> true);
    assertTrue(outcome.tookNs() <= 2 * outcome.announcedNs(), "took " + outcome.tookNs());
    assertTrue(outcome.isOutOfTime());
    assertEquals(0, outcome.clean());
    assertEquals(0, outcome.notRun());
    assertEquals(4 * PEERS * 9, outcome.disturbed());
    List<String> again = said.toString(UTF_8).lines().filter(l -> l.contains("again")).toList();
    assertEquals(outcome.repeats(), again.size());
    assertTrue(again.size() > 50, again.size() + " repeats");
    for (Measured measured : outcome.measured()) {
      String label = measured.workload().label();
      double share = (double) again.stream().filter(l -> l.contains(label)).count() / again.size();
      assertEquals(0.25, share, 0.1, label);
    }
  }

  @Test
  void shouldRepeatADisturbedTurnWhereThereIsTime() throws Exception {
    BenchTurns.Outcome outcome = run(9 * S, 50, turn -> turn % 4 == 3);
    assertEquals(4 * PEERS * 9, outcome.clean());
    assertTrue(outcome.repeats() > 0);
    assertFalse(outcome.isOutOfTime());
  }

  /** Turns of four times their length leave no time for the whole plan. */
  @Test
  void shouldLeaveRoundsOutOfEachWorkloadWhereTheyTakeTooLong() throws Exception {
    BenchTurns.Outcome outcome = run(9 * S, 3_000, turn -> false);
    assertTrue(outcome.tookNs() <= 2 * outcome.announcedNs(), "took " + outcome.tookNs());
    assertTrue(outcome.isOutOfTime());
    for (Measured measured : outcome.measured()) {
      int rounds = measured.rounds().size();
      assertTrue(rounds >= 2 && rounds < 9, measured.workload() + " " + rounds);
    }
  }

  @Test
  void shouldAnnounceAnotherTimeIfTheStartTookTooLong() throws Exception {
    BenchTurns.Outcome outcome = run(600 * S, 50, turn -> true);
    assertTrue(outcome.tookNs() <= 2 * outcome.announcedNs(), "took " + outcome.tookNs());
    String announced = said.toString(UTF_8).lines().skip(1).findFirst().orElseThrow();
    assertEquals(
        "bench: the processes took 10 min 0 s to start; in all about 13 min 0 s; at most 26 min 0 s"
            + " if the machine is disturbed",
        announced);
  }

  @Test
  void shouldRunOneRoundOfEachHoweverLateItIs() throws Exception {
    BenchTurns.Outcome outcome = run(9 * S, 60_000, turn -> true);
    assertEquals(4 * PEERS * 8, outcome.notRun());
    assertEquals(4 * PEERS, outcome.disturbed());
    assertEquals(0, outcome.repeats());
  }
}
