package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerLivenessTest {
  private static final long MS = 1_000_000;
  private static final long NONE = Long.MAX_VALUE;

  private final PeerLiveness liveness = new PeerLiveness(LivenessSettings.DEFAULT);

  /** Runs to the next deadline; sends the wanted probe, if any. */
  private long runToDeadline() {
    final long nowNs = liveness.nextDeadlineNs();
    liveness.onDeadline(nowNs);
    if (liveness.isProbeWanted()) {
      liveness.onElicitingPacketSent();
    }
    return nowNs;
  }

  private List<Long> runUntilFailed() {
    final List<Long> timesMs = new ArrayList<>();
    while (liveness.state() != LivenessState.LOST) {
      timesMs.add(runToDeadline() / MS);
    }
    return timesMs;
  }

  @Test
  void shouldNotWatchAPeerBeforeItsPathHadATurn() {
    assertEquals(NONE, liveness.nextDeadlineNs());
    assertFalse(liveness.onDeadline(NONE - 1));
    assertEquals(0, liveness.probesWanted());
  }

  @Test
  void shouldAskAnIdlePeerNowAndThenAndGoOnWhileItAnswers() {
    liveness.onWorkEnded(5 * MS);
    liveness.onWorkEnded(6 * MS);
    assertEquals(10_005 * MS, liveness.nextDeadlineNs());
    assertFalse(liveness.onDeadline(10_005 * MS - 1));
    assertTrue(liveness.onDeadline(10_005 * MS));
    assertTrue(liveness.isProbeWanted());
    liveness.onElicitingPacketSent();
    liveness.onWorkEnded(10_006 * MS);
    assertEquals(LivenessState.PROBED, liveness.state());
    liveness.onPacketReceived(10_007 * MS);
    assertEquals(LivenessState.HEARD, liveness.state());
    assertEquals(20_007 * MS, liveness.nextDeadlineNs());
    assertEquals(1, liveness.probesWanted());
  }

  @Test
  void shouldGiveUpAnIdlePeerThatDoesNotAnswer() {
    liveness.onWorkStarted(0);
    liveness.onPacketReceived(MS);
    liveness.onWorkEnded(2 * MS);
    assertEquals(List.of(10_001L, 10_101L, 10_301L, 10_701L, 11_501L, 13_001L), runUntilFailed());
    assertEquals(NONE, liveness.nextDeadlineNs());
  }

  @Test
  void shouldWatchCloselyOnceWorkStartsWhileItIsAsked() {
    liveness.onWorkEnded(0);
    liveness.onDeadline(10_000 * MS);
    liveness.onElicitingPacketSent();
    liveness.onWorkStarted(10_010 * MS);
    assertEquals(LivenessState.PROBED, liveness.state());
    assertEquals(10_100 * MS, liveness.nextDeadlineNs());
    liveness.onPacketReceived(10_020 * MS);
    assertEquals(10_270 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldProbeOnceTheSilenceThresholdPassed() {
    liveness.onWorkStarted(0);
    liveness.onElicitingPacketSent();
    liveness.onPacketReceived(10 * MS);
    assertEquals(260 * MS, liveness.nextDeadlineNs());
    assertFalse(liveness.onDeadline(260 * MS - 1));
    assertFalse(liveness.isProbeWanted());
    assertTrue(liveness.onDeadline(260 * MS));
    assertEquals(LivenessState.PROBED, liveness.state());
    assertTrue(liveness.isProbeWanted());
    liveness.onElicitingPacketSent();
    assertFalse(liveness.isProbeWanted());
    liveness.onPacketReceived(261 * MS);
    assertEquals(LivenessState.HEARD, liveness.state());
    assertEquals(511 * MS, liveness.nextDeadlineNs());
    assertEquals(1, liveness.probesWanted());
  }

  @Test
  void shouldWaitForThreeProbeIntervalsIfThatIsLonger() {
    liveness.onWorkStarted(0);
    liveness.onProbeInterval(83 * MS);
    assertEquals(250 * MS, liveness.nextDeadlineNs());
    liveness.onProbeInterval(100 * MS);
    assertEquals(300 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldNotWaitLongerThanItProbesHoweverSlowThePathSeems() {
    liveness.onWorkStarted(0);
    liveness.onProbeInterval(1000 * MS);
    assertEquals(3000 * MS, liveness.nextDeadlineNs());
    liveness.onProbeInterval(60_000 * MS);
    assertEquals(3000 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldCountSilenceFromTheStartOfWorkAfterALongIdleTime() {
    liveness.onPacketReceived(0);
    liveness.onWorkStarted(9000 * MS);
    liveness.onWorkStarted(9100 * MS);
    assertEquals(9250 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldProbeInDoublingPeriodsAndFailAfterThreeSeconds() {
    liveness.onWorkStarted(0);
    assertEquals(List.of(250L, 350L, 550L, 950L, 1750L, 3250L), runUntilFailed());
    assertEquals(5, liveness.probesWanted());
    assertEquals(NONE, liveness.nextDeadlineNs());
    assertFalse(liveness.isProbeWanted());
  }

  @Test
  void shouldSuspectAPeerThatLeftAProbeUnansweredForItsPeriod() {
    liveness.onWorkStarted(0);
    liveness.onDeadline(250 * MS);
    assertEquals(LivenessState.PROBED, liveness.state());
    assertFalse(liveness.isSuspected());
    liveness.onDeadline(350 * MS);
    assertTrue(liveness.isSuspected());
    liveness.onPacketReceived(351 * MS);
    assertFalse(liveness.isSuspected());
    liveness.onDeadline(601 * MS);
    assertFalse(liveness.isSuspected(), "it is asked anew");
    liveness.onDeadline(701 * MS);
    assertTrue(liveness.isSuspected());
  }

  @Test
  void shouldNotSuspectAPeerBeforeItsAnswerCouldHaveCome() {
    liveness.onWorkStarted(0);
    liveness.onProbeInterval(150 * MS);
    liveness.onDeadline(450 * MS);
    liveness.onDeadline(550 * MS);
    assertFalse(liveness.isSuspected());
    liveness.onDeadline(750 * MS);
    assertTrue(liveness.isSuspected());
  }

  @Test
  void shouldSuspectAnIdlePeerOnlyOnceItDoesNotAnswer() {
    liveness.onWorkEnded(0);
    liveness.onDeadline(10_000 * MS);
    assertFalse(liveness.isSuspected());
    liveness.onDeadline(10_100 * MS);
    assertTrue(liveness.isSuspected());
  }

  @Test
  void shouldFailAfterSoManyProbesEvenBeforeTheTimeIsUp() {
    final PeerLiveness hasty =
        new PeerLiveness(new LivenessSettings(250 * MS, 3, 100 * MS, 1, 5, 3000 * MS, 10_000 * MS));
    hasty.onWorkStarted(0);
    long nowNs = 0;
    while (hasty.state() != LivenessState.LOST) {
      nowNs = hasty.nextDeadlineNs();
      hasty.onDeadline(nowNs);
      hasty.onElicitingPacketSent();
    }
    assertEquals(750 * MS, nowNs);
  }

  @Test
  void shouldSendNoProbeWhileOtherPacketsAskForAnAnswer() {
    liveness.onWorkStarted(0);
    int deadlines = 0;
    while (liveness.state() != LivenessState.LOST) {
      for (int i = 0; i < 1000; i++) {
        liveness.onElicitingPacketSent();
      }
      liveness.onDeadline(liveness.nextDeadlineNs());
      assertFalse(liveness.isProbeWanted());
      deadlines++;
    }
    assertEquals(6, deadlines);
    assertEquals(0, liveness.probesWanted());
  }

  @Test
  void shouldProbeAgainInAPeriodWithoutOtherPackets() {
    liveness.onWorkStarted(0);
    liveness.onElicitingPacketSent();
    liveness.onDeadline(250 * MS);
    assertFalse(liveness.isProbeWanted());
    liveness.onDeadline(350 * MS);
    assertTrue(liveness.isProbeWanted());
  }

  @Test
  void shouldTakeAnyPacketThatAsksForAnAnswerAsTheProbe() {
    liveness.onWorkStarted(0);
    liveness.onDeadline(250 * MS);
    assertTrue(liveness.isProbeWanted());
    liveness.onElicitingPacketSent();
    assertFalse(liveness.isProbeWanted());
    liveness.onDeadline(350 * MS);
    assertTrue(liveness.isProbeWanted());
  }

  @Test
  void shouldNotCountPacketsThatWereAnsweredAsProbes() {
    liveness.onWorkStarted(0);
    liveness.onElicitingPacketSent();
    liveness.onPacketReceived(MS);
    liveness.onDeadline(251 * MS);
    assertTrue(liveness.isProbeWanted());
  }

  @Test
  void shouldStartOverAfterEveryPacketOfThePeer() {
    liveness.onWorkStarted(0);
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 5; i++) {
        runToDeadline();
        assertEquals(LivenessState.PROBED, liveness.state());
      }
      liveness.onPacketReceived(liveness.nextDeadlineNs() - 1);
      assertEquals(LivenessState.HEARD, liveness.state());
    }
    assertEquals(500, liveness.probesWanted());
  }

  @Test
  void shouldStopProbingOnceNothingIsOutstanding() {
    liveness.onWorkStarted(0);
    liveness.onDeadline(250 * MS);
    liveness.onWorkEnded(0);
    assertEquals(LivenessState.HEARD, liveness.state());
    assertFalse(liveness.isProbeWanted());
    assertEquals(10_000 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldStayFailed() {
    liveness.onWorkStarted(0);
    runUntilFailed();
    liveness.onPacketReceived(9000 * MS);
    liveness.onWorkEnded(0);
    liveness.onWorkStarted(9001 * MS);
    assertEquals(LivenessState.LOST, liveness.state());
    assertFalse(liveness.onDeadline(NONE - 1));
  }

  @Test
  void shouldProbeForItsFullTimeAfterAStallOfItsOwn() {
    liveness.onWorkStarted(0);
    assertTrue(liveness.onDeadline(60_000 * MS));
    assertEquals(LivenessState.PROBED, liveness.state());
    assertFalse(liveness.onDeadline(60_000 * MS));
    assertEquals(63_000L, runUntilFailed().getLast());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 3, 1, 2, 5, 1",
    "1, 0, 1, 2, 5, 1",
    "1, 3, 0, 2, 5, 1",
    "1, 3, 1, 0, 5, 1",
    "1, 3, 1, 2, 0, 1",
    "1, 3, 1, 2, 5, 0"
  })
  void shouldRejectSettingsOutOfRange(
      long minSilenceNs, int intervals, long periodNs, int factor, int probes, long probingNs) {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new LivenessSettings(
                minSilenceNs, intervals, periodNs, factor, probes, probingNs, 10_000 * MS));
  }

  @Test
  void shouldGiveUpAPeerWhoseProbeIsRefusedToo() {
    liveness.onWorkStarted(0);
    assertFalse(liveness.onRefused(6, 8, MS));
    assertTrue(liveness.isProbeWanted());
    liveness.onElicitingPacketSent();
    assertFalse(liveness.onRefused(7, 9, MS), "it was sent before the first refusal came");
    assertEquals(LivenessState.HEARD, liveness.state());
    assertTrue(liveness.onRefused(8, 9, MS));
    assertEquals(LivenessState.LOST, liveness.state());
    assertFalse(liveness.onRefused(9, 10, MS));
    assertEquals(NONE, liveness.nextDeadlineNs());
  }

  /** Some sockets report a refusal only at the next send. */
  @Test
  void shouldProbeSomeMoreUntilTheSecondRefusalCanBeKnown() {
    liveness.onProbeInterval(3 * MS);
    liveness.onWorkStarted(0);
    liveness.onRefused(6, 8, MS);
    liveness.onElicitingPacketSent();
    for (int probe = 1; probe <= 8; probe++) {
      long dueNs = (1 + 3 * probe) * MS;
      assertEquals(dueNs, liveness.nextDeadlineNs());
      assertFalse(liveness.onDeadline(dueNs));
      assertTrue(liveness.isProbeWanted());
      liveness.onElicitingPacketSent();
    }
    assertEquals(250 * MS, liveness.nextDeadlineNs());
    liveness.onPacketReceived(30 * MS);
    assertEquals(280 * MS, liveness.nextDeadlineNs());
  }

  @Test
  void shouldForgetARefusalWhenThePeerIsHeardOf() {
    liveness.onWorkStarted(0);
    liveness.onRefused(6, 8, MS);
    liveness.onElicitingPacketSent();
    liveness.onPacketReceived(2 * MS);
    assertFalse(liveness.onRefused(8, 9, 3 * MS));
    assertEquals(LivenessState.HEARD, liveness.state());
  }

  /** The answer to the probe that followed the first refusal may be on its way. */
  @Test
  void shouldWaitAProbeIntervalForTheSecondRefusal() {
    liveness.onProbeInterval(20 * MS);
    liveness.onWorkStarted(0);
    assertFalse(liveness.onRefused(6, 8, MS));
    liveness.onElicitingPacketSent();
    assertFalse(liveness.onRefused(8, 9, 20 * MS));
    assertTrue(liveness.onRefused(8, 9, 21 * MS));
  }

  /** A process that stood still cannot tell whether the peer was silent. */
  @Test
  void shouldNotCountTheTimeInWhichThisSideStoodStill() {
    liveness.onWorkStarted(0);
    assertTrue(liveness.onDeadline(250 * MS));
    liveness.onElicitingPacketSent();
    assertFalse(liveness.onDeadline(60_000 * MS));
    assertEquals(LivenessState.PROBED, liveness.state());
    assertTrue(liveness.nextDeadlineNs() > 60_000 * MS);
  }
}
