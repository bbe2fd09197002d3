package io.millrace.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Frame.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The passing of barriers and the delivery of values, without processes. */
class MeetingPointTest {
  private final MeetingPoint meetings = new MeetingPoint(node -> "phase of " + node);
  private final List<String> answers = new ArrayList<>();

  private void ask(String node, long id, Kind kind, String key, String value) {
    meetings.onQuestion(
        node,
        new Frame(kind, id, key, value),
        frame -> answers.add(node + " " + frame.id() + " " + frame.kind() + " " + frame.value()));
  }

  private List<String> answers() {
    List<String> all = List.copyOf(answers);
    answers.clear();
    return all;
  }

  @Test
  void shouldOpenTheBarrierOnceAllHaveComeAndBeReadyForTheNextRound() {
    for (int round = 1; round <= 2; round++) {
      ask("a", 1, Kind.ARRIVE, "x", "a,b,c");
      ask("c", 2, Kind.ARRIVE, "x", "a,b,c");
      assertEquals(List.of(), answers());
      assertEquals(round - 1, meetings.rounds("x"));
      ask("b", 3, Kind.ARRIVE, "x", "a,b,c");
      assertEquals(List.of("a 1 DONE ", "c 2 DONE ", "b 3 DONE "), answers());
      assertEquals(round, meetings.rounds("x"));
    }
  }

  @Test
  void shouldNameWhoIsMissingToTheOneWhoGivesUpAndKeepTheOthersWaiting() {
    ask("a", 1, Kind.ARRIVE, "x", "a,b,c,d");
    ask("b", 2, Kind.ARRIVE, "x", "a,b,c,d");
    ask("a", 1, Kind.GIVE_UP, "", "");
    assertEquals(
        List.of("a 1 REFUSED barrier \"x\" waits for c (phase of c), d (phase of d)"), answers());
    assertEquals(
        "barrier \"x\" waits for a (phase of a), c (phase of c), d (phase of d)",
        meetings.missingAt("x"));
    ask("c", 3, Kind.ARRIVE, "x", "a,b,c,d");
    ask("d", 4, Kind.ARRIVE, "x", "a,b,c,d");
    assertEquals(List.of(), answers());
    ask("a", 5, Kind.ARRIVE, "x", "a,b,c,d");
    assertEquals(List.of("b 2 DONE ", "c 3 DONE ", "d 4 DONE ", "a 5 DONE "), answers());
  }

  @Test
  void shouldNotAnswerAgainWhoGivesUpTooLate() {
    ask("a", 1, Kind.ARRIVE, "x", "a");
    ask("a", 1, Kind.GIVE_UP, "", "");
    assertEquals(List.of("a 1 DONE "), answers());
  }

  @Test
  void shouldBreakTheBarrierForWhoWaitsForAFailedNodeAndForWhoComesLater() {
    ask("a", 1, Kind.ARRIVE, "x", "a,b,c");
    meetings.onFailed("c", "it broke");
    assertEquals(List.of("a 1 REFUSED barrier \"x\" is broken: c has failed: it broke"), answers());
    ask("b", 2, Kind.ARRIVE, "x", "a,b,c");
    assertEquals(List.of("b 2 REFUSED barrier \"x\" is broken: c has failed: it broke"), answers());
    ask("b", 3, Kind.ARRIVE, "y", "a,b");
    ask("a", 4, Kind.ARRIVE, "y", "a,b");
    assertEquals(List.of("b 3 DONE ", "a 4 DONE "), answers());
  }

  @Test
  void shouldTakeAnArrivalOfAKilledNodeBackAndWaitForItsNextLife() {
    ask("a", 1, Kind.ARRIVE, "x", "a,b,c");
    meetings.onForgotten("a");
    ask("b", 2, Kind.ARRIVE, "x", "a,b,c");
    ask("c", 3, Kind.ARRIVE, "x", "a,b,c");
    assertEquals(List.of(), answers());
    ask("a", 1, Kind.ARRIVE, "x", "a,b,c");
    assertEquals(List.of("b 2 DONE ", "c 3 DONE ", "a 1 DONE "), answers());
  }

  @Test
  void shouldRefuseOtherPartiesAndASecondArrival() {
    ask("a", 1, Kind.ARRIVE, "x", "a,b");
    ask("b", 2, Kind.ARRIVE, "x", "b,c");
    ask("a", 3, Kind.ARRIVE, "x", "a,b");
    assertEquals(
        List.of(
            "b 2 REFUSED barrier \"x\" is for [a, b], not for [b, c]",
            "a 3 REFUSED a waits at barrier \"x\" already"),
        answers());
  }

  @Test
  void shouldGiveAValueToWhoWaitsAndToWhoComesLaterUntilItsNodeIsForgotten() {
    ask("a", 1, Kind.AWAIT, "k", "");
    ask("b", 1, Kind.AWAIT, "other", "");
    assertEquals(List.of(), answers());
    ask("c", 7, Kind.PUBLISH, "k", "v");
    ask("b", 2, Kind.AWAIT, "k", "");
    assertEquals(List.of("a 1 DONE v", "c 7 DONE ", "b 2 DONE v"), answers());
    meetings.onEnd("c");
    assertEquals("v", meetings.value("k"));
    meetings.onForgotten("c");
    assertNull(meetings.value("k"));
    ask("b", 1, Kind.GIVE_UP, "", "");
    assertEquals(List.of("b 1 REFUSED nobody has published \"other\""), answers());
    ask("c", 1, Kind.PUBLISH, "other", "v");
    assertEquals(List.of("c 1 DONE "), answers());
  }

  @Test
  void shouldBoundItsKeys() {
    for (int i = 0; i < MeetingPoint.MOST_KEYS; i++) {
      assertTrue(meetings.publish("a", "k" + i, ""));
      ask("a", i, Kind.ARRIVE, "k" + i, "a,b");
    }
    assertFalse(meetings.publish("a", "one more", ""));
    assertTrue(meetings.publish("a", "k0", "again"));
    assertEquals(List.of(), answers());
    ask("a", 1, Kind.ARRIVE, "one more", "a,b");
    ask("a", 2, Kind.PUBLISH, "one more", "");
    assertEquals(
        List.of("a 1 REFUSED more than 10000 barriers", "a 2 REFUSED more than 10000 values"),
        answers());
  }
}
