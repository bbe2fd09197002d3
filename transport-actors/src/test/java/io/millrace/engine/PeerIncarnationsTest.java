package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.engine.PeerIncarnations.Decision;
import io.millrace.path.packet.PeerIncarnation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The life of a peer that counts, and the openings that wait until workers have ended the paths of
 * earlier lives.
 */
class PeerIncarnationsTest {
  private static final int WORKERS = 3;
  private static final int PEERS = 2;
  private static final String PEER = "10.0.0.1:7400";

  private final PeerIncarnations<String> incarnations = new PeerIncarnations<>(WORKERS, PEERS);

  private static PeerIncarnation life(long incarnation) {
    return new PeerIncarnation(PEER, incarnation);
  }

  private static PeerIncarnation other(int peer) {
    return new PeerIncarnation("10.0.1." + peer + ":7400", 1);
  }

  /** Admits a peer by an undisturbed handshake. */
  private Decision admit(PeerIncarnation peer, String opening) {
    return incarnations.admit(peer, incarnations.epoch(), opening);
  }

  private List<String> fence(long incarnation, int... workers) {
    List<String> opened = new ArrayList<>();
    for (int worker : workers) {
      opened.addAll(incarnations.onFenced(life(incarnation), worker));
    }
    return opened;
  }

  @Test
  void shouldOpenPathsOfTheFirstLifeAtOnce() {
    assertFalse(incarnations.isNewest(life(1)));
    assertEquals(Decision.OPEN, admit(life(1), "a"));
    assertEquals(Decision.OPEN, admit(life(1), "b"));
    assertTrue(incarnations.isNewest(life(1)));
    assertEquals(1, incarnations.epoch());
  }

  @Test
  void shouldOpenPathsOfANewLifeWhenTheLastWorkerHasFenced() {
    admit(life(1), "a");
    assertEquals(Decision.FENCE, admit(life(2), "b"));
    assertEquals(Decision.WAIT, admit(life(2), "c"));
    assertFalse(incarnations.isNewest(life(1)));
    assertTrue(incarnations.isNewest(life(2)));
    assertEquals(List.of(), fence(2, 0, 2, 0));
    assertEquals(List.of("b", "c"), fence(2, 1));
    assertEquals(List.of(), fence(2, 1));
    assertEquals(Decision.OPEN, admit(life(2), "d"));
  }

  @Test
  void shouldNotTakeAFormerLifeAgainHoweverItProvesItself() {
    for (long incarnation = 1; incarnation <= 9; incarnation++) {
      admit(life(incarnation), "");
      fence(incarnation, 0, 1, 2);
    }
    for (long incarnation = 1; incarnation <= 8; incarnation++) {
      assertEquals(Decision.FORMER, admit(life(incarnation), "late"));
    }
    assertTrue(incarnations.isNewest(life(9)));
  }

  @Test
  void shouldDoubtAHandshakeThatBeganBeforeTheNewestLifeProvedItself() {
    long begun = incarnations.epoch();
    admit(life(2), "a");
    assertEquals(Decision.DOUBTFUL, incarnations.admit(life(1), begun, "late"));
    assertEquals(Decision.OPEN, incarnations.admit(life(2), begun, "crossing"));
    assertTrue(incarnations.isNewest(life(2)));
    assertEquals(Decision.FENCE, admit(life(3), "b"));
  }

  @Test
  void shouldNotDoubtBecauseTheSameLifeProvedItselfAgain() {
    admit(life(1), "a");
    long begun = incarnations.epoch();
    admit(life(1), "b");
    assertEquals(Decision.FENCE, incarnations.admit(life(2), begun, "c"));
  }

  @Test
  void shouldWaitForAllWorkersAnewWhenAThirdLifeComes() {
    admit(life(1), "a");
    admit(life(2), "b");
    assertEquals(List.of(), fence(2, 0, 1));
    assertEquals(Decision.FENCE, admit(life(3), "c"));
    assertEquals(List.of(), fence(2, 2), "an answer to the former question");
    assertEquals(List.of(), fence(3, 0, 1));
    // The opener of a waiting path checks whether its life is still the newest life.
    assertEquals(List.of("b", "c"), fence(3, 2));
    assertFalse(incarnations.isNewest(life(2)));
  }

  @Test
  void shouldNotWaitForWorkersThatHaveEnded() {
    admit(life(1), "a");
    assertEquals(List.of(), incarnations.onWorkerEnded(1));
    admit(life(2), "b");
    assertEquals(List.of(), fence(2, 0));
    assertEquals(List.of("b"), incarnations.onWorkerEnded(2));
    assertEquals(List.of(), incarnations.onWorkerEnded(0));
    assertEquals(Decision.OPEN, admit(life(3), "c"));
  }

  @Test
  void shouldGiveUpWhatWaitsAndStillWaitForTheWorkers() {
    admit(life(1), "a");
    admit(life(2), "b");
    assertTrue(incarnations.giveUp(life(2), "b"));
    assertFalse(incarnations.giveUp(life(2), "b"));
    assertEquals(Decision.WAIT, admit(life(2), "c"));
    assertEquals(List.of("c"), fence(2, 0, 1, 2));
    assertFalse(incarnations.giveUp(life(2), "c"));
  }

  @Test
  void shouldTakeBackAllThatWaits() {
    admit(life(1), "a");
    admit(life(2), "b");
    admit(other(1), "c");
    assertEquals(List.of("b"), incarnations.pollWaiting());
    assertEquals(List.of(), incarnations.pollWaiting());
    assertEquals(List.of(), fence(2, 0, 1, 2));
  }

  @Test
  void shouldNotWaitWhenNoPathToTheFormerLifeIsLeft() {
    admit(life(1), "a");
    admit(life(1), "b");
    incarnations.onPathEnded(life(1));
    assertEquals(Decision.FENCE, admit(life(2), "c"));
    assertEquals(List.of("c"), fence(2, 0, 1, 2));
    incarnations.onPathEnded(life(1));
    incarnations.onPathEnded(life(2));
    assertEquals(Decision.OPEN, admit(life(3), "d"));
    assertEquals(Decision.FENCE, admit(life(4), "e"));
    assertTrue(incarnations.giveUp(life(4), "e"));
    incarnations.onPathEnded(life(3));
    assertEquals(Decision.OPEN, admit(life(5), "f"), "what was given up does not count");
  }

  @Test
  void shouldDoubtWhoeverItMayHaveForgotten() {
    long begun = incarnations.epoch();
    admit(life(1), "a");
    incarnations.onPathEnded(life(1));
    admit(other(1), "b");
    assertEquals(Decision.OPEN, admit(other(2), "c"));
    assertEquals(PEERS, incarnations.size());
    assertFalse(incarnations.isNewest(life(1)), "nobody had a path to it");
    assertEquals(Decision.DOUBTFUL, incarnations.admit(life(0), begun, "late"));
    assertEquals(Decision.OPEN, admit(life(2), "d"));
  }

  @Test
  void shouldForgetThePeerThatWasNotHeardOfForLongest() {
    admit(life(1), "a");
    incarnations.onPathEnded(life(1));
    admit(other(1), "b");
    incarnations.onPathEnded(other(1));
    admit(life(1), "c");
    incarnations.onPathEnded(life(1));
    admit(other(2), "d");
    assertTrue(incarnations.isNewest(life(1)));
    assertFalse(incarnations.isNewest(other(1)));
  }

  @Test
  void shouldNotForgetAPeerThatHasPaths() {
    admit(life(1), "a");
    admit(other(1), "b");
    admit(other(2), "c");
    admit(other(3), "d");
    assertEquals(4, incarnations.size());
    assertEquals(Decision.FENCE, admit(life(2), "e"));
  }
}
