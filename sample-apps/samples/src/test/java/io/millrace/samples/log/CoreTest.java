package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.log.core.Acceptor;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Batch;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.KeyValues;
import io.millrace.samples.log.core.Leader;
import io.millrace.samples.log.core.Leader.Stage;
import io.millrace.samples.log.core.Learner;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.Result.Status;
import java.util.List;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;

/** The machines of the log, one step after the other. */
final class CoreTest {
  private static final Ballot ONE = new Ballot(1, 0);
  private static final Ballot TWO = new Ballot(2, 1);
  private static final long STATE_BYTES = 1_200;

  private final Acceptor acceptor = new Acceptor();
  private final Learner learner = new Learner(acceptor);
  private final Leader leader = new Leader(0, Quorum.majority(3));
  private final KeyValues state = new KeyValues(2, STATE_BYTES);

  private static ByteString text(String text) {
    return ByteString.fromString(text);
  }

  private static Entry entry(long slot, Ballot ballot, String value) {
    return new Entry(slot, ballot, text(value));
  }

  @Test
  void shouldRefuseLowerBallotsOncePromised() {
    assertTrue(acceptor.onAccept(entry(1, ONE, "a")));
    assertTrue(acceptor.onPrepare(TWO));
    assertFalse(acceptor.onPrepare(ONE));
    assertFalse(acceptor.onAccept(entry(1, ONE, "b")));
    assertEquals(List.of(entry(1, ONE, "a")), acceptor.entriesFrom(1));
    assertTrue(acceptor.onAccept(entry(1, TWO, "c")));
    assertEquals(List.of(entry(1, TWO, "c")), acceptor.entriesFrom(1));
  }

  @Test
  void shouldKeepWhatIsChosen() {
    acceptor.onChosen(entry(1, ONE, "a"));
    assertTrue(acceptor.onAccept(entry(1, TWO, "a")));
    assertEquals(List.of(entry(1, Ballot.CHOSEN, "a")), acceptor.entriesFrom(1));
    assertEquals(TWO, acceptor.promised());
  }

  @Test
  void shouldKnowAgainWhatTheDiskKnewToBeChosen() {
    acceptor.restore(entry(1, ONE, "a"));
    acceptor.restoreChosenThrough(1);
    acceptor.restore(entry(2, ONE, "b"));
    acceptor.restore(entry(3, TWO, "c"));
    acceptor.restoreChosenThrough(2);
    assertEquals(
        List.of(entry(1, Ballot.CHOSEN, "a"), entry(2, Ballot.CHOSEN, "b"), entry(3, TWO, "c")),
        acceptor.entriesFrom(1));
    assertEquals(TWO, acceptor.promised());
  }

  @Test
  void shouldForgetDroppedSlots() {
    acceptor.onAccept(entry(1, ONE, "a"));
    acceptor.onAccept(entry(2, ONE, "b"));
    acceptor.dropThrough(1);
    assertTrue(acceptor.onAccept(entry(1, ONE, "a")));
    assertEquals(List.of(entry(2, ONE, "b")), acceptor.entriesFrom(1));
  }

  @Test
  void shouldHandOutInOrderWhatIsChosen() {
    acceptor.onAccept(entry(1, ONE, "a"));
    acceptor.onAccept(entry(2, ONE, "b"));
    learner.onChosenAt(ONE, 2);
    assertNull(learner.pollChosen());
    learner.onChosenAt(ONE, 1);
    assertEquals(entry(1, ONE, "a"), learner.pollChosen());
    assertEquals(entry(2, ONE, "b"), learner.pollChosen());
    assertEquals(2, learner.chosenThrough());
  }

  @Test
  void shouldNotTakeForChosenWhatAnotherBallotAccepted() {
    acceptor.onAccept(entry(1, ONE, "a"));
    learner.onChosenThrough(TWO, 1);
    assertNull(learner.pollChosen());
    assertTrue(learner.isBehind());
    acceptor.onChosen(entry(1, TWO, "b"));
    assertEquals(entry(1, Ballot.CHOSEN, "b"), learner.pollChosen());
    assertFalse(learner.isBehind());
  }

  @Test
  void shouldTakeOverTheValueOfTheHighestBallotAndFillGaps() {
    Ballot ballot = leader.onLead(TWO);
    leader.onPromise(0, new Promise(ballot, 0, List.of(entry(1, ONE, "a"))));
    assertEquals(Stage.PREPARING, leader.stage());
    leader.onPromise(1, new Promise(ballot, 0, List.of(entry(1, TWO, "b"), entry(3, ONE, "c"))));
    assertEquals(Stage.CATCHING_UP, leader.stage());
    assertEquals(
        List.of(entry(1, ballot, "b"), entry(2, ballot, ""), entry(3, ballot, "c")),
        leader.onChosenThrough(0));
    assertEquals(4, leader.propose(text("d")).slot());
  }

  @Test
  void shouldLearnWhatOthersKnowBeforeItLeads() {
    Ballot ballot = leader.onLead(Ballot.NONE);
    leader.onPromise(0, new Promise(ballot, 2, List.of()));
    leader.onPromise(2, new Promise(ballot, 7, List.of()));
    assertEquals(2, leader.mostInformed());
    assertEquals(List.of(), leader.onChosenThrough(6));
    assertEquals(Stage.CATCHING_UP, leader.stage());
    assertEquals(List.of(), leader.onChosenThrough(7));
    assertEquals(8, leader.propose(text("x")).slot());
  }

  @Test
  void shouldChooseOnceMostHaveAccepted() {
    Ballot ballot = lead();
    Entry proposed = leader.propose(text("a"));
    assertFalse(leader.onAccepted(1, ballot, proposed.slot()));
    assertFalse(leader.onAccepted(1, ballot, proposed.slot()), "one voice counts once");
    assertEquals(List.of(proposed), leader.missing(2));
    assertTrue(leader.onAccepted(2, ballot, proposed.slot()));
    assertFalse(leader.onAccepted(0, ballot, proposed.slot()));
    assertEquals(0, leader.open());
  }

  @Test
  void shouldFollowOnceHigherBallotIsSeen() {
    Ballot ballot = lead();
    leader.propose(text("a"));
    assertFalse(leader.onBallot(ballot));
    assertTrue(leader.onBallot(ballot.next(1)));
    assertEquals(Stage.FOLLOWING, leader.stage());
    assertThrows(IllegalStateException.class, () -> leader.propose(text("b")));
    assertFalse(leader.onAccepted(1, ballot, 1));
  }

  /** Otherwise the leader would say "chosen" of its own proposals. */
  @Test
  void shouldFollowOnceAnotherValueOfItsSlotsIsChosen() {
    Ballot ballot = lead();
    Entry own = leader.propose(text("a"));
    assertFalse(leader.onLearnt(own.chosen(), own));
    assertEquals(Stage.LEADING, leader.stage());
    assertTrue(leader.onLearnt(entry(1, Ballot.CHOSEN, "b"), own));
    assertEquals(Stage.FOLLOWING, leader.stage());
    assertFalse(leader.onAccepted(1, ballot, 1));
  }

  @Test
  void shouldFollowOnceASlotIsChosenThatItHasNotReached() {
    lead();
    assertTrue(leader.onLearnt(entry(1, Ballot.CHOSEN, "b"), null));
    assertEquals(Stage.FOLLOWING, leader.stage());
  }

  private Ballot lead() {
    Ballot ballot = leader.onLead(Ballot.NONE);
    leader.onPromise(0, new Promise(ballot, 0, List.of()));
    leader.onPromise(1, new Promise(ballot, 0, List.of()));
    leader.onChosenThrough(0);
    assertEquals(Stage.LEADING, leader.stage());
    return ballot;
  }

  @Test
  void shouldDoOnceWhatComesTwice() {
    long session = state.apply(Operation.open()).number();
    Operation set = Operation.compareAndSet(text("k"), text(""), text("a")).in(session, 1);
    assertEquals(Status.DONE, state.apply(set).status());
    assertEquals(Status.DONE, state.apply(set).status());
    Operation again = Operation.compareAndSet(text("k"), text(""), text("b")).in(session, 2);
    assertEquals(Result.of(Status.DIFFERENT, text("a")), state.apply(again));
  }

  @Test
  void shouldForgetTheSessionUnusedLongest() {
    long first = state.apply(Operation.open()).number();
    long second = state.apply(Operation.open()).number();
    state.apply(Operation.get(text("k")).in(first, 1));
    state.apply(Operation.open());
    assertEquals(Status.NO_SESSION, state.apply(Operation.get(text("k")).in(second, 1)).status());
    assertEquals(Status.DONE, state.apply(Operation.get(text("k")).in(first, 2)).status());
  }

  @Test
  void shouldBeTheSameFromItsSnapshot() {
    long session = state.apply(Operation.open()).number();
    Operation put = Operation.put(text("k"), text("a")).in(session, 1);
    state.apply(put);
    KeyValues other = new KeyValues(2, STATE_BYTES);
    other.restore(state.snapshot());
    assertEquals(state.contents(), other.contents());
    assertEquals(state.snapshot(), other.snapshot());
    assertEquals(Status.DONE, other.apply(put).status());
    assertEquals(session + 1, other.apply(Operation.open()).number());
  }

  @Test
  void shouldRefuseWhatTheStateHasNoRoomFor() {
    long session = state.apply(Operation.open()).number();
    ByteString large = ByteString.fromArray(new byte[600]);
    assertEquals(Status.DONE, state.apply(Operation.put(text("a"), large).in(session, 1)).status());
    assertEquals(
        Result.of(Status.TOO_LARGE, STATE_BYTES),
        state.apply(Operation.put(text("b"), large).in(session, 2)));
    assertEquals(
        Status.DONE, state.apply(Operation.put(text("a"), text("x")).in(session, 3)).status());
    KeyValues other = new KeyValues(2, STATE_BYTES);
    other.restore(state.snapshot());
    for (KeyValues each : List.of(state, other)) {
      assertEquals(
          Status.DONE, each.apply(Operation.put(text("b"), large).in(session, 4)).status());
      assertEquals(
          Status.TOO_LARGE, each.apply(Operation.put(text("c"), large).in(session, 5)).status());
    }
  }

  /** The last read value is remembered, too. */
  @Test
  void shouldForgetSessionsWhoseAnswersTakeTooMuch() {
    long first = state.apply(Operation.open()).number();
    ByteString half = ByteString.fromArray(new byte[60]);
    state.apply(Operation.put(text("a"), half).in(first, 1));
    assertEquals(half, state.apply(Operation.get(text("a")).in(first, 2)).value());
    long second = state.apply(Operation.open()).number();
    assertEquals(Status.NO_SESSION, state.apply(Operation.get(text("a")).in(first, 3)).status());
    assertEquals(half, state.apply(Operation.get(text("a")).in(second, 1)).value());
  }

  @Test
  void shouldKeepNoMoreBytesThanItMay() {
    for (int slot = 1; slot <= 5; slot++) {
      acceptor.onAccept(entry(slot, ONE, "four"));
    }
    assertEquals(20, acceptor.bytesFrom(1));
    assertEquals(8, acceptor.bytesFrom(4));
    assertEquals(4, acceptor.firstWithin(5, 8));
    assertEquals(3, acceptor.firstWithin(4, 11));
    assertEquals(6, acceptor.firstWithin(5, 3));
  }

  @Test
  void shouldRefuseBatchesThatAreCutShort() {
    ByteString whole = Batch.encode(List.of(Operation.put(text("key"), text("value")).in(3, 4)));
    assertEquals(1, Batch.decode(whole).size());
    for (int length = 1; length < whole.size(); length++) {
      ByteString cut = whole.take(length);
      assertThrows(IllegalArgumentException.class, () -> Batch.decode(cut));
    }
  }
}
