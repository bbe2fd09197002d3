package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.FrameType;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** The datagrams of a directed fault, and the report that the fault happened. */
final class DirectedFaultsTest {
  private static final FrameMatch NOTIFY = FrameMatch.of("WRITE_NOTIFY");

  /** A datagram on a link; only the notes of this datagram matter. */
  private record Seen(int from, int to, List<FrameNote> notes, long sentNs) implements PacketView {
    static Seen of(int from, int to, FrameType frame, long subject) {
      return at(0, from, to, frame, subject);
    }

    static Seen at(long sentNs, int from, int to, FrameType frame, long subject) {
      return new Seen(from, to, List.of(new FrameNote(frame, subject)), sentNs);
    }

    @Override
    public SimAddress source() {
      return new SimAddress(from, 0, 1);
    }

    @Override
    public SimAddress destination() {
      return new SimAddress(to, 0, 1);
    }

    @Override
    public long link() {
      return (long) from << 8 | to;
    }

    @Override
    public long ordinal() {
      return 0;
    }

    @Override
    public DirectBuffer bytes() {
      return new SegmentBuffer(new byte[0]);
    }

    @Override
    public int length() {
      return 0;
    }

    @Override
    public int ecn() {
      return 0;
    }

    @Override
    public boolean isDuplicate() {
      return false;
    }

    @Override
    public boolean isDamaged() {
      return false;
    }
  }

  private interface Plan {
    void plan(FullRun run);
  }

  private static RunResult run(Keep keep, Plan plan) throws Exception {
    Scenario scenario =
        run -> {
          run.add(3, node -> {});
          plan.plan(run);
        };
    return new SimRunner(scenario, 1).run(RunSettings.of(1).withKeep(keep));
  }

  private static RunResult run(Plan plan) throws Exception {
    RunResult result = run(Keep.ALL, plan);
    assertNull(result.violation());
    return result;
  }

  /** Returns the fates of WRITE_NOTIFY frames of these transfers, sent one after the other. */
  private static List<Verdict> sendAll(FullRun run, long... transfers) {
    List<Verdict> verdicts = new ArrayList<>();
    for (long transfer : transfers) {
      Seen seen = Seen.of(0, 1, FrameType.WRITE_NOTIFY, transfer);
      verdicts.add(run.cluster().network().planned(seen));
    }
    return verdicts;
  }

  @Test
  void shouldMeetTheOneOfThatNumberOnly() throws Exception {
    run(
        run -> {
          run.faults().drop(NOTIFY.nth(3));
          assertEquals(
              List.of(Verdict.PASS, Verdict.PASS, Verdict.DROP, Verdict.PASS),
              sendAll(run, 1, 2, 3, 4));
          assertEquals(1, run.faults().fired());
          assertEquals(List.of(), run.faults().unmet());
        });
  }

  @Test
  void shouldMeetEveryOneIfNoNumberIsGiven() throws Exception {
    run(
        run -> {
          run.faults().corrupt(NOTIFY.about(7));
          assertEquals(
              List.of(Verdict.PASS, Verdict.CORRUPT, Verdict.CORRUPT), sendAll(run, 1, 7, 7));
          assertEquals(2, run.faults().fired());
        });
  }

  @Test
  void shouldLoseWhatSaysTheSameAsWhatIsWithheld() throws Exception {
    run(
        run -> {
          run.faults().withhold(NOTIFY.nth(2), 5_000);
          assertEquals(
              List.of(Verdict.PASS, Verdict.delay(5_000), Verdict.PASS, Verdict.DROP),
              sendAll(run, 6, 7, 6, 7));
          assertEquals(Verdict.PASS, planned(run, Seen.of(1, 0, FrameType.WRITE_NOTIFY, 7)));
          assertEquals(Verdict.PASS, planned(run, Seen.of(0, 1, FrameType.FLOW_RESET, 7)));
          assertEquals(Verdict.DROP, planned(run, Seen.at(4_999, 0, 1, FrameType.WRITE_NOTIFY, 7)));
          assertEquals(Verdict.PASS, planned(run, Seen.at(5_000, 0, 1, FrameType.WRITE_NOTIFY, 7)));
          assertEquals(1, run.faults().fired());
        });
  }

  @Test
  void shouldBringWhatIsReplayedAgain() throws Exception {
    run(
        run -> {
          run.faults().replay(NOTIFY.first(), 5_000);
          assertEquals(List.of(Verdict.again(5_000), Verdict.PASS), sendAll(run, 7, 7));
        });
  }

  private static Verdict planned(FullRun run, Seen seen) {
    return run.cluster().network().planned(seen);
  }

  @Test
  void shouldCountThoseThatAreAboutTheSubjectOnTheLink() throws Exception {
    run(
        run -> {
          run.faults().delay(NOTIFY.about(7).on(0, 1).nth(2), 5_000_000);
          assertEquals(
              Verdict.PASS,
              run.cluster().network().planned(Seen.of(1, 0, FrameType.WRITE_NOTIFY, 7)));
          assertEquals(
              Verdict.PASS,
              run.cluster().network().planned(Seen.of(0, 1, FrameType.FLOW_RESET, 7)));
          assertEquals(
              List.of(Verdict.PASS, Verdict.PASS, Verdict.delay(5_000_000)), sendAll(run, 7, 6, 7));
        });
  }

  @Test
  void shouldCountADatagramOnceHoweverManyFramesItHolds() throws Exception {
    run(
        run -> {
          run.faults().duplicate(NOTIFY.nth(2));
          FrameNote note = new FrameNote(FrameType.WRITE_NOTIFY, 1);
          Seen both = new Seen(0, 1, List.of(note, note), 0);
          assertEquals(Verdict.PASS, run.cluster().network().planned(both));
          assertEquals(Verdict.DUPLICATE, run.cluster().network().planned(both));
        });
  }

  @Test
  void shouldLetTheFirstPlannedOfTwoHappen() throws Exception {
    RunResult result =
        run(
            run -> {
              run.faults().drop(NOTIFY.first());
              run.faults().duplicate(NOTIFY.first());
              run.faults().duplicate(NOTIFY.nth(2));
              assertEquals(List.of(Verdict.DROP, Verdict.DUPLICATE), sendAll(run, 1, 2));
            });
    assertEquals(1, result.unmet().size());
    assertEquals("the 1st WRITE_NOTIFY comes twice", result.unmet().getFirst().words());
  }

  @Test
  void shouldDisturbTheLinkWhenItHappens() throws Exception {
    run(
        run -> {
          run.faults().drop(NOTIFY.nth(2));
          assertEquals(List.of(Verdict.PASS), sendAll(run, 1));
          assertFalse(run.faults().isDisturbed(0, 1, 0));
          assertEquals(List.of(Verdict.DROP), sendAll(run, 1));
          assertTrue(run.faults().isDisturbed(0, 1, 0) && run.faults().isDisturbed(1, 0, 0));
          assertFalse(run.faults().isDisturbed(0, 2, 0) || run.faults().isDisturbed(1, 2, 0));
        });
  }

  @Test
  void shouldNotHappenOnceTheRunIsHealed() throws Exception {
    RunResult result =
        run(
            run -> {
              run.faults().drop(NOTIFY.first());
              run.heal();
              assertEquals(List.of(Verdict.PASS), sendAll(run, 1));
            });
    assertEquals(1, result.unmet().size());
  }

  @Test
  void shouldHaveNumbersAndBeLeftOut() throws Exception {
    Plan plan =
        run -> {
          run.faults().drop(NOTIFY.first());
          run.faults().crash(50, 2, 0);
          run.faults().duplicate(NOTIFY.on(0, 1).nth(2));
          run.runUntil(100);
          assertEquals(2, sendAll(run, 1, 2).size());
          run.fail("end", "to have what happened");
        };
    List<PlannedEvent> all = run(Keep.ALL, plan).happened();
    assertEquals(List.of(1, 0, 2), all.stream().map(PlannedEvent::number).toList());
    assertEquals(
        "f2 at 0.000 ms: the 2nd WRITE_NOTIFY from n0 to n1 comes twice", all.get(2).toString());
    RunResult some = run(Keep.parse("f:1,2"), plan);
    assertEquals(List.of(all.get(0), all.get(2)), some.happened());
    assertEquals(List.of(), some.unmet(), "what is left out does not wait");
  }

  @Test
  void shouldBreakARuleIfItWasRequiredAndNeverMet() throws Exception {
    RunResult result =
        run(
            Keep.ALL,
            run -> {
              run.faults().drop(FrameMatch.of(FrameType.PATH_CLOSE).nth(12));
              run.faults().requireMet();
            });
    assertNotNull(result.violation());
    assertEquals("directed faults meet their frames", result.violation().rule());
    String text = String.valueOf(result.violation().getMessage());
    assertTrue(text.contains("the 12th PATH_CLOSE is lost"), text);
    assertTrue(new Shrunk(Keep.ALL, result, 1).words().toString().contains("never met, f0"), text);
    assertNull(
        run(
                Keep.parse("f:"),
                run -> {
                  run.faults().drop(NOTIFY);
                  run.faults().requireMet();
                })
            .violation());
  }

  @Test
  void shouldNoteFramesOnlyIfAFaultWaitsForOne() throws Exception {
    run(
        run -> {
          run.faults().crash(50, 2, 0);
          assertFalse(run.cluster().network().notes().isWanted());
        });
    run(
        Keep.parse("f:"),
        run -> {
          run.faults().drop(NOTIFY);
          assertFalse(run.cluster().network().notes().isWanted());
        });
    run(
        run -> {
          run.faults().drop(NOTIFY);
          assertTrue(run.cluster().network().notes().isWanted());
        });
  }

  @Test
  void shouldRefuseWhatIsNoFrameAndNoNumber() {
    assertThrows(IllegalArgumentException.class, () -> FrameMatch.of("NOTHING"));
    assertThrows(IllegalArgumentException.class, () -> NOTIFY.nth(0));
    assertEquals("every WRITE_NOTIFY", NOTIFY.toString());
    assertEquals("the 3rd WRITE_NOTIFY about 8", NOTIFY.nth(3).about(8).toString());
    assertEquals("the 11th WRITE_NOTIFY", NOTIFY.nth(11).toString());
    assertEquals("the 101st WRITE_NOTIFY", NOTIFY.nth(101).toString());
    assertEquals("the 22nd WRITE_NOTIFY", NOTIFY.nth(22).toString());
  }
}
