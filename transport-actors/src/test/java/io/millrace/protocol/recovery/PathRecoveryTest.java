package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PathRecoveryTest {
  private static final long R = RecoveryLab.R;
  private static final int BYTES = RecoveryLab.BYTES;
  private static final long NONE = Long.MAX_VALUE;

  private final RecoveryLab lab = new RecoveryLab();
  private final RecordingSink sink = lab.sink;
  private final AckFrames frames = lab.frames;
  private final PathRecovery recovery = lab.recovery;
  private final RecordingController congestion = lab.congestion;

  @Test
  void shouldReportItemsAndPacketsOnceAcknowledged() {
    recovery.openPacket(0);
    recovery.addItem(7);
    recovery.addItem(8);
    recovery.onPacketSent(BYTES, true, 0);
    lab.send(1, 0);
    assertEquals(2 * BYTES, recovery.bytesInFlight());
    assertEquals(AckOutcome.APPLIED, lab.ack(frames.upTo(1), R));
    assertEquals(List.of(7L, 8L, 10L), sink.ackedItems);
    assertEquals(List.of(0L, 1L), sink.ackedPackets);
    assertEquals(0, recovery.bytesInFlight());
    assertEquals(2, recovery.counters().ackedPackets());
    assertEquals(AckOutcome.APPLIED, lab.ack(frames.upTo(1), R));
    assertEquals(2, sink.ackedPackets.size());
    assertEquals(NONE, recovery.nextDeadlineNs());
  }

  private void sendPatient(long number, long nowNs) {
    recovery.openPacket(number);
    recovery.addItem(number * 10);
    recovery.markPatient();
    recovery.onPacketSent(BYTES, true, nowNs);
  }

  @Test
  void shouldWaitLongerForTheAcknowledgementOfAPatientPacket() {
    sendPatient(0, 0);
    assertEquals(RecoveryLab.PATIENCE + 3 * R, recovery.nextDeadlineNs());
    lab.send(1, R);
    assertEquals(4 * R, recovery.nextDeadlineNs(), "the other packet must not wait");
    lab.ack(frames.only(1), 2 * R);
    lab.ack(frames.upTo(1), 2 * R);
    sendPatient(2, 2 * R);
    assertEquals(
        2 * R + RecoveryLab.PATIENCE + 3 * recovery.rtt().smoothedNs(), recovery.nextDeadlineNs());
  }

  @Test
  void shouldWaitNoLongerOnceThePeerHasAskedAgain() {
    sendPatient(0, 0);
    recovery.onAsked();
    assertEquals(3 * R, recovery.nextDeadlineNs());
    recovery.onDeadline(3 * R, sink);
    assertEquals(List.of(0L), sink.retransmitItems);
    assertEquals(1, recovery.probesWanted());
  }

  @Test
  void shouldAwaitAPatientPacketFromTheAckOnThatEndsItsWait() {
    sendPatient(0, 0);
    recovery.onPatienceEnded(7 * R);
    assertEquals(10 * R, recovery.nextDeadlineNs());
    recovery.onPatienceEnded(8 * R);
    assertEquals(10 * R, recovery.nextDeadlineNs(), "no packet waits any more");
  }

  @Test
  void shouldMeasureTheRoundTripOfAPatientPacketWithoutItsWait() {
    sendPatient(0, 0);
    lab.ack(frames.of(20_000_000, 0, 0, 0), 20_000_000 + R);
    assertEquals(R, recovery.rtt().latestNs());
    assertEquals(R, recovery.rtt().minNs());
  }

  @Test
  void shouldMeasureWithoutTheWaitAlsoByAPacketThatWantsNoAcknowledgement() {
    sendPatient(0, 0);
    recovery.openPacket(1);
    recovery.onPacketSent(BYTES, false, R);
    lab.ack(frames.of(20_000_000, 0, 1, 1), 21_000_000 + R);
    assertEquals(R, recovery.rtt().smoothedNs());
  }

  @Test
  void shouldTakeNoSampleOfAPacketWhoseWaitWasLongerThanItsRoundTrip() {
    lab.send(0, 0);
    lab.ack(frames.upTo(0), R);
    assertEquals(R, congestion.latestRttNs);
    sendPatient(1, R);
    lab.ack(frames.of(20_000_000, 0, 1, 1), R + 20_000_000);
    assertEquals(R, recovery.rtt().latestNs());
    assertEquals(0, congestion.latestRttNs, "the sample of an earlier frame is no sample");
  }

  @Test
  void shouldTakeNoSampleOfAPacketSentAndAcknowledgedWithinATurn() {
    lab.send(0, 5);
    lab.ack(frames.upTo(0), 5);
    assertFalse(recovery.rtt().hasSample());
  }

  @Test
  void shouldLetAPacketWaitOnlyWhileMostOfTheWindowIsFree() {
    congestion.windowBytes = 8 * BYTES;
    lab.send(0, 0);
    assertTrue(recovery.mayWait(BYTES));
    lab.send(1, 0);
    assertFalse(recovery.mayWait(BYTES));
  }

  @Test
  void shouldNotTellTheControllerOfALostSizeProbe() {
    recovery.openPacket(0);
    recovery.addItem(1);
    recovery.markSizeProbe();
    recovery.onPacketSent(8972, true, 0);
    assertEquals(8972, recovery.bytesInFlight());
    lab.send(1, 0);
    lab.sendUpTo(4, 0);
    lab.ack(frames.of(0, 0, 4, 2), R);
    assertEquals(List.of(0L, 1L), sink.lostPackets);
    assertEquals(List.of(1L, 10L), sink.lostItems);
    assertEquals(
        List.of("lost 1"), congestion.calls.stream().filter(c -> c.startsWith("lost")).toList());
    assertTrue(congestion.calls.contains("discarded 0"));
    assertEquals(0, recovery.bytesInFlight());
    congestion.calls.clear();
    lab.ack(frames.upTo(4), R);
    assertEquals(List.of("spurious 1"), congestion.calls);
  }

  @Test
  void shouldTellTheControllerThatThereIsNothingToSendWhileTheWindowIsOpen() {
    congestion.windowBytes = 2 * BYTES;
    lab.send(0, 0);
    congestion.calls.clear();
    recovery.onApplicationLimited();
    assertEquals(List.of("limited at " + BYTES), congestion.calls);
    lab.send(1, 0);
    congestion.calls.clear();
    recovery.onApplicationLimited();
    assertEquals(List.of(), congestion.calls);
  }

  @Test
  void shouldMeasureTheRoundTripByTheLargestPacketOnly() {
    lab.send(0, 0);
    lab.send(1, 100);
    lab.ack(frames.of(50, 0, 1, 0), 700);
    assertEquals(600, recovery.rtt().latestNs());
    lab.send(2, 1000);
    lab.send(3, 1000);
    lab.ack(frames.only(3), 2000);
    assertEquals(1000, recovery.rtt().latestNs());
    lab.ack(frames.upTo(3), 9000);
    assertEquals(1000, recovery.rtt().latestNs());
  }

  @Test
  void shouldMeasureByTheAnswerToAProbeWhereTheAcknowledgementDoesNot() {
    lab.send(0, 0);
    lab.sendUpTo(4, 0);
    lab.ack(frames.only(4), 1000);
    assertEquals(List.of(0L, 1L), sink.lostPackets);
    recovery.onProbeAnswered(400, 1000);
    assertEquals(1000, recovery.rtt().latestNs(), "an acknowledgement of this turn measured");
    lab.ack(frames.upTo(1), 9000);
    assertEquals(1000, recovery.rtt().latestNs());
    recovery.onProbeAnswered(0, 9000);
    assertEquals(9000, recovery.rtt().latestNs());
    assertEquals(1000 + (9000 - 1000) / 8, recovery.rtt().smoothedNs());
  }

  @Test
  void shouldMeasureByAnAcknowledgementThatOnlyTheSendersOwnAcknowledgementFollowed() {
    lab.send(0, 0);
    recovery.onUnloggedPacketSent(1, 300);
    lab.ack(frames.upTo(1), 1000);
    assertEquals(700, recovery.rtt().latestNs());
    assertEquals(List.of(0L), sink.ackedPackets);
  }

  @Test
  void shouldNotMeasureByPacketsThatWantNoAcknowledgement() {
    recovery.onUnloggedPacketSent(0, 300);
    lab.ack(frames.upTo(0), 1000);
    assertFalse(recovery.rtt().hasSample());
  }

  @Test
  void shouldDeclareLossOncePacketThresholdPassed() {
    lab.sendUpTo(3, 0);
    lab.ack(frames.only(2), 10);
    assertTrue(sink.lostPackets.isEmpty());
    lab.ack(frames.of(0, 0, 3, 2), 10);
    assertEquals(List.of(0L), sink.lostPackets);
    assertEquals(List.of(0L), sink.lostItems);
    assertEquals(BYTES, recovery.bytesInFlight());
    assertEquals(1, recovery.counters().lostPackets());
  }

  @Test
  void shouldDeclareLossOnceTimeThresholdPassed() {
    lab.send(0, 0);
    lab.send(1, 0);
    lab.ack(frames.only(1), 800_000);
    assertEquals(900_000, recovery.nextDeadlineNs());
    recovery.onDeadline(899_999, sink);
    assertTrue(sink.lostPackets.isEmpty());
    recovery.onDeadline(900_000, sink);
    assertEquals(List.of(0L), sink.lostPackets);
    assertEquals(0, recovery.counters().probeTimeouts());
    assertEquals(NONE, recovery.nextDeadlineNs());
  }

  @Test
  void shouldDropTheLossDeadlineOnceTheStragglerArrives() {
    lab.send(0, 0);
    lab.send(1, 0);
    lab.ack(frames.only(1), 800_000);
    lab.ack(frames.upTo(1), 850_000);
    assertEquals(NONE, recovery.nextDeadlineNs());
    assertTrue(sink.lostPackets.isEmpty());
  }

  @Test
  void shouldTakeAcknowledgementsInAnyOrder() {
    lab.sendUpTo(5, 0);
    lab.ack(frames.of(0, 0, 5, 3), 10);
    assertEquals(List.of(0L, 1L, 2L), sink.lostPackets);
    lab.ack(frames.of(0, 0, 3, 3), 20);
    lab.ack(frames.of(0, 0, 4, 2), 20);
    assertEquals(List.of(3L, 4L, 5L), sink.ackedPackets);
    assertEquals(List.of(2L), sink.spuriousLosses);
    assertEquals(0, recovery.bytesInFlight());
  }

  @Test
  void shouldTakeSparseAcknowledgements() {
    lab.sendUpTo(20, 0);
    lab.ack(frames.of(0, 0, 20, 19, 17, 17, 10, 5, 2, 2), 10);
    assertEquals(List.of(19L, 20L, 17L, 5L, 6L, 7L, 8L, 9L, 10L, 2L), sink.ackedPackets);
    assertEquals(List.of(0L, 1L, 3L, 4L, 11L, 12L, 13L, 14L, 15L, 16L), sink.lostPackets);
    assertEquals(1, recovery.packetsInFlight());
  }

  @Test
  void shouldCountALateAcknowledgementOfALostPacketAsSpuriousOnce() {
    lab.sendUpTo(3, 0);
    lab.ack(frames.of(0, 0, 3, 1), 10);
    lab.ack(frames.upTo(3), 20);
    lab.ack(frames.upTo(3), 30);
    assertEquals(List.of(0L), sink.spuriousLosses);
    assertEquals(1, recovery.counters().spuriousLosses());
    assertEquals(3, recovery.counters().ackedPackets());
    assertFalse(sink.ackedItems.contains(0L));
  }

  @Test
  void shouldRefuseAnAcknowledgementOfPacketsNeverSentAndChangeNothing() {
    lab.sendUpTo(3, 0);
    final int calls = congestion.calls.size();
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.upTo(4), 10));
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.only(-1), 10));
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.only(Long.MAX_VALUE), 10));
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.of(0, 0, 2, -1), 10));
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.of(0, 0, 3, 3, 1, -1), 10));
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.of(0, 0, 3, 2, -1, -1), 10));
    assertTrue(sink.isEmpty());
    assertEquals(calls, congestion.calls.size());
    assertEquals(4 * BYTES, recovery.bytesInFlight());
    assertEquals(AckOutcome.APPLIED, lab.ack(frames.upTo(3), 10));
  }

  @Test
  void shouldRefuseEveryAcknowledgementBeforeAnythingWasSent() {
    assertEquals(AckOutcome.VIOLATION, lab.ack(frames.only(0), 10));
  }

  @Test
  void shouldProbeAfterThreeRoundTripsAndThenTwiceAsLongEachTime() {
    lab.send(0, 0);
    long nowNs = 0;
    long number = 1;
    for (long interval = 3 * R; interval <= 48 * R; interval *= 2) {
      assertEquals(nowNs + interval, recovery.nextDeadlineNs());
      recovery.onDeadline(nowNs + interval - 1, sink);
      assertEquals(0, recovery.probesWanted());
      nowNs += interval;
      recovery.onDeadline(nowNs, sink);
      assertEquals(1, recovery.probesWanted());
      lab.send(number++, nowNs);
      assertEquals(0, recovery.probesWanted());
    }
    assertEquals(5, recovery.counters().probeTimeouts());
    assertEquals(List.of(0L, 10L, 20L, 30L, 40L), sink.retransmitItems);
    assertTrue(sink.lostPackets.isEmpty());
    assertEquals(6, recovery.packetsInFlight());
  }

  @Test
  void shouldStartOverWithThreeRoundTripsAfterAnyPacketOfThePeer() {
    lab.send(0, 0);
    recovery.onDeadline(3 * R, sink);
    lab.send(1, 3 * R);
    recovery.onDeadline(9 * R, sink);
    lab.send(2, 9 * R);
    assertEquals(21 * R, recovery.nextDeadlineNs());
    recovery.onAnyPacketReceived();
    assertEquals(0, recovery.probeTimeoutsInRow());
    assertEquals(12 * R, recovery.nextDeadlineNs());
  }

  @Test
  void shouldMoveTheDeadlineWithEveryPacketThatWantsAnAcknowledgement() {
    lab.send(0, 0);
    lab.send(1, 2 * R);
    assertEquals(5 * R, recovery.nextDeadlineNs());
    recovery.onUnloggedPacketSent(2, 4 * R);
    assertEquals(5 * R, recovery.nextDeadlineNs());
  }

  @Test
  void shouldLetAProbeLeaveWhateverTheWindowSays() {
    congestion.windowBytes = BYTES;
    lab.send(0, 0);
    assertFalse(recovery.canSend(BYTES));
    recovery.onDeadline(3 * R, sink);
    assertTrue(recovery.canSend(BYTES));
    lab.send(1, 3 * R);
    assertFalse(recovery.canSend(BYTES));
  }

  @Test
  void shouldWantNoProbeOnceAnAcknowledgementArrived() {
    congestion.windowBytes = 2 * BYTES;
    lab.sendUpTo(1, 0);
    recovery.onDeadline(3 * R, sink);
    assertEquals(1, recovery.probesWanted());
    lab.ack(frames.only(0), 3 * R);
    assertEquals(0, recovery.probesWanted());
    assertTrue(recovery.canSend(BYTES));
    assertFalse(recovery.canSend(BYTES + 1));
  }

  @Test
  void shouldNotMeasureByAPacketThatPassedAFullLog() {
    lab.sendUpTo(63, 0);
    for (long number = 64; number < 200; number++) {
      recovery.onUnloggedPacketSent(number, 0);
    }
    lab.ack(frames.upTo(199), R);
    assertEquals(64, sink.ackedPackets.size());
    assertFalse(recovery.rtt().hasSample());
    lab.send(200, R);
    lab.ack(frames.upTo(200), 3 * R);
    assertEquals(2 * R, recovery.rtt().latestNs());
  }

  @Test
  void shouldKeepToTheWindowButNeverBlockAnEmptyPath() {
    congestion.windowBytes = 3 * BYTES;
    lab.sendUpTo(1, 0);
    assertTrue(recovery.canSend(BYTES));
    assertFalse(recovery.canSend(BYTES + 1));
    lab.ack(frames.upTo(1), R);
    assertTrue(recovery.canSend(100 * BYTES));
  }

  @Test
  void shouldNotCountAcknowledgementsAsInFlight() {
    recovery.openPacket(0);
    recovery.onPacketSent(50, false, 0);
    assertEquals(0, recovery.bytesInFlight());
    assertEquals(NONE, recovery.nextDeadlineNs());
    assertTrue(congestion.calls.isEmpty());
  }

  @Test
  void shouldGiveUpTheOldestOfAFullLogSoThatAProbeFindsRoom() {
    lab.sendUpTo(63, 0);
    assertFalse(recovery.canOpenPacket(1));
    recovery.onDeadline(3 * R, sink);
    assertTrue(recovery.canOpenPacket(1));
    assertEquals(List.of(0L), sink.lostPackets);
    assertEquals(List.of(10L), sink.retransmitItems);
    lab.send(64, 3 * R);
    lab.ack(frames.upTo(64), 4 * R);
    assertEquals(64, sink.ackedPackets.size());
    assertTrue(sink.spuriousLosses.isEmpty(), "its number is forgotten after one capacity");
    assertEquals(0, recovery.bytesInFlight());
  }

  @Test
  void shouldGiveUpAsManyPacketsAsAFullItemLogNeeds() {
    recovery.openPacket(0);
    recovery.onPacketSent(BYTES, true, 0);
    recovery.openPacket(1);
    while (recovery.canAddItem()) {
      recovery.addItem(1);
    }
    recovery.onPacketSent(BYTES, true, 0);
    assertFalse(recovery.canOpenPacket(1));
    recovery.onDeadline(3 * R, sink);
    assertEquals(List.of(0L, 1L), sink.lostPackets);
    assertTrue(recovery.canOpenPacket(1));
    assertEquals(1, recovery.probesWanted());
    assertEquals(0, recovery.bytesInFlight());
    assertEquals(NONE, recovery.nextDeadlineNs());
  }

  @Test
  void shouldTellTheControllerInTheOrderOfTheStandard() {
    lab.sendUpTo(3, 0);
    congestion.calls.clear();
    lab.ack(frames.of(0, 5, 3, 2), 10);
    assertEquals(
        List.of("acked 2", "acked 3", "marks 5 sent 0", "lost 0", "end " + 4 * BYTES),
        congestion.calls);
  }

  @Test
  void shouldTellTheControllerNewMarksOnlyAndAcrossTheWrap() {
    for (int i = 0; i < 5; i++) {
      lab.send(i, i);
    }
    congestion.calls.clear();
    lab.ack(frames.of(0, 2, 0, 0), 10);
    lab.ack(frames.of(0, 2, 1, 0), 10);
    lab.ack(frames.of(0, 9, 1, 0), 10);
    lab.ack(frames.of(0, 3, 2, 0), 10);
    lab.ack(frames.of(0, 1, 3, 0), 10);
    assertEquals(
        List.of("marks 2 sent 0", "marks 1 sent 2"),
        congestion.calls.stream().filter(call -> call.startsWith("marks")).toList());
    lab.ack(frames.of(0, 0x8000_0002L, 4, 0), 10);
    assertEquals("marks 2147483647 sent 4", congestion.calls.get(congestion.calls.size() - 2));
    lab.send(5, 10);
    lab.ack(frames.of(0, 1, 5, 0), 10);
    assertEquals("marks 2147483647 sent 10", congestion.calls.get(congestion.calls.size() - 2));
  }

  @Test
  void shouldEstablishPersistentCongestionOnceLossesSpanThreeIntervals() {
    assertEquals(1, persistentCongestionsAfterLossesOver(9 * R + 1));
  }

  @Test
  void shouldNotEstablishPersistentCongestionBelowThreeIntervals() {
    assertEquals(0, persistentCongestionsAfterLossesOver(9 * R));
  }

  /** Two packets lost at this distance in time, after a first sample of R. */
  private long persistentCongestionsAfterLossesOver(long spanNs) {
    lab.send(0, 0);
    lab.ack(frames.only(0), R);
    lab.send(1, R);
    lab.send(2, R + spanNs);
    lab.send(3, R + spanNs);
    lab.send(4, R + spanNs);
    lab.send(5, R + spanNs);
    lab.ack(frames.only(5), 2 * R + spanNs);
    assertEquals(List.of(1L, 2L), sink.lostPackets);
    return recovery.counters().persistentCongestions();
  }

  @Test
  void shouldNotEstablishPersistentCongestionAcrossAnAcknowledgedPacket() {
    lab.send(0, 0);
    lab.ack(frames.only(0), R);
    lab.send(1, R);
    lab.send(2, 2 * R);
    lab.send(3, 30 * R);
    lab.send(4, 30 * R);
    lab.send(5, 30 * R);
    lab.send(6, 30 * R);
    lab.ack(frames.of(0, 0, 6, 6, 2, 2), 31 * R);
    assertEquals(List.of(1L, 3L), sink.lostPackets);
    assertFalse(congestion.calls.contains("persistent"));
  }

  @Test
  void shouldNotEstablishPersistentCongestionFromBeforeTheFirstSample() {
    lab.send(0, 0);
    lab.send(1, 30 * R);
    lab.send(2, 30 * R);
    lab.send(3, 30 * R);
    lab.send(4, 30 * R);
    lab.ack(frames.only(4), 31 * R);
    assertEquals(List.of(0L, 1L), sink.lostPackets);
    assertFalse(congestion.calls.contains("persistent"));
  }

  @Test
  void shouldForgetAnAbandonedPacket() {
    recovery.openPacket(0);
    recovery.addItem(1);
    recovery.abandonPacket();
    assertEquals(0, recovery.nextPacketNumber());
    lab.send(0, 5);
    lab.ack(frames.only(0), R);
    assertEquals(List.of(0L), sink.ackedItems);
  }
}
