package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.wire.codec.AckDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceivedPacketsTest {
  private static final long DELAY = ReceivedPackets.DEFAULT_ACK_DELAY_NS;
  private static final int WINDOW = ReceivedPackets.WINDOW;

  private final ReceivedPackets received = new ReceivedPackets();
  private final AckFrames frames = new AckFrames();

  private void receive(long... numbers) {
    for (long number : numbers) {
      received.onPacket(number, true, false, 0);
    }
  }

  private List<Long> ranges(int maxRanges) {
    return AckFrames.ranges(frames.from(received, 0, maxRanges));
  }

  @Test
  void shouldAcceptEveryNumberOnce() {
    for (long number : new long[] {0, 1, 5, 3, 4, 2}) {
      assertTrue(received.canAccept(number));
      receive(number);
      assertFalse(received.canAccept(number));
    }
    assertTrue(received.canAccept(6));
    assertFalse(received.canAccept(-1));
  }

  @Test
  void shouldNeitherAcknowledgeNorAcceptAgainWhatItRefused() {
    receive(0, 1);
    received.onRefused(2);
    received.onRefused(4);
    assertFalse(received.canAccept(2));
    assertFalse(received.canAccept(4));
    receive(3, 5);
    assertFalse(received.canAccept(2));
    assertFalse(received.canAccept(4));
    assertEquals(List.of(5L, 5L, 3L, 3L, 1L, 0L), ranges(8));
  }

  @Test
  void shouldRefuseWhatIsOnePastTheWindow() {
    receive(10_000);
    assertTrue(received.canAccept(10_000 - WINDOW + 1));
    assertFalse(received.canAccept(10_000 - WINDOW));
    receive(10_000 - WINDOW + 1);
    receive(10_001);
    assertFalse(received.canAccept(10_001 - WINDOW));
    assertTrue(received.canAccept(10_002 - WINDOW));
  }

  @Test
  void shouldNotMistakeOldPacketsForNewOnesAfterAJump() {
    for (int i = 0; i < WINDOW; i++) {
      receive(i);
    }
    final long jumped = 3L * WINDOW + 17;
    receive(jumped);
    for (long number = jumped - WINDOW + 1; number < jumped; number++) {
      assertTrue(received.canAccept(number));
    }
    receive(jumped + 70);
    for (long number = jumped + 1; number < jumped + 70; number++) {
      assertTrue(received.canAccept(number));
    }
    assertFalse(received.canAccept(jumped));
  }

  @Test
  void shouldOweNothingBeforeAnythingArrives() {
    assertFalse(received.isAckPending());
    assertFalse(received.isAckDue(Long.MAX_VALUE - 1));
    assertFalse(received.canEncodeAck());
    assertEquals(Long.MAX_VALUE, received.ackDeadlineNs());
  }

  @Test
  void shouldAcknowledgeASinglePacketAfterTheDelay() {
    received.onPacket(0, true, false, 500);
    assertTrue(received.isAckPending());
    assertFalse(received.isAckDue(500 + DELAY - 1));
    assertEquals(500 + DELAY, received.ackDeadlineNs());
    assertTrue(received.isAckDue(500 + DELAY));
    received.onAckSent();
    assertFalse(received.isAckPending());
    assertEquals(Long.MAX_VALUE, received.ackDeadlineNs());
  }

  @Test
  void shouldAcknowledgeEverySecondPacketAtOnce() {
    received.onPacket(0, true, false, 0);
    assertFalse(received.isAckDue(10));
    received.onPacket(1, true, false, 10);
    assertTrue(received.isAckDue(10));
    received.onAckSent();
    received.onPacket(2, true, false, 20);
    assertFalse(received.isAckDue(20));
  }

  @Test
  void shouldHoldTheAcknowledgementOfPacketsThatMayWaitLonger() {
    final long patienceNs = 25 * DELAY;
    final ReceivedPackets waiting = new ReceivedPackets(2, DELAY, patienceNs, WINDOW);
    for (int i = 0; i < ReceivedPackets.PATIENT_PACKETS_PER_ACK - 1; i++) {
      waiting.onPacket(i, true, true, false, i);
      assertEquals(DELAY + patienceNs, waiting.ackDeadlineNs());
      assertFalse(waiting.isPromptAckPending());
    }
    waiting.onPacket(ReceivedPackets.PATIENT_PACKETS_PER_ACK - 1, true, true, false, 100);
    assertTrue(waiting.isAckDue(100));
    frames.from(waiting, 100, 1);
    waiting.onAckSent();
    waiting.onPacket(8, true, true, false, 200);
    waiting.onPacket(9, true, false, false, 300);
    assertTrue(waiting.isPromptAckPending());
    assertEquals(300 + DELAY, waiting.ackDeadlineNs());
    waiting.onPacket(11, true, true, false, 400);
    assertTrue(waiting.isAckDue(400), "a gap");
  }

  @Test
  void shouldAcknowledgeWaitingPacketsAtOnceBehindAPacketThatWantsNoAcknowledgement() {
    final ReceivedPackets waiting = new ReceivedPackets(2, DELAY, 25 * DELAY, WINDOW);
    waiting.onPacket(0, true, true, false, 0);
    assertFalse(waiting.isAckDue(10));
    waiting.onPacket(1, false, false, false, 10);
    assertTrue(waiting.isAckDue(10));
  }

  @Test
  void shouldTellRequestsFromOtherFrames() {
    final ReceivedPackets waiting = new ReceivedPackets(2, DELAY, 25 * DELAY, WINDOW);
    waiting.onPacket(0, true, false, false, 0);
    assertTrue(waiting.isPromptAckPending());
    waiting.onOthers();
    waiting.onPacket(1, true, false, false, 0);
    assertFalse(waiting.isPromptAckPending());
    frames.from(waiting, 0, 1);
    waiting.onAckSent();
    waiting.onPacket(2, true, false, false, 0);
    assertTrue(waiting.isPromptAckPending());
  }

  @Test
  void shouldFollowTheNumberOfPacketsPerAcknowledgement() {
    final ReceivedPackets lazy = new ReceivedPackets(4, DELAY, 0, WINDOW);
    for (int i = 0; i < 3; i++) {
      lazy.onPacket(i, true, false, 0);
      assertFalse(lazy.isAckDue(0));
    }
    lazy.onPacket(3, true, false, 0);
    assertTrue(lazy.isAckDue(0));
  }

  @Test
  void shouldAcknowledgeWhatWouldLeaveTheWindowUnnamed() {
    for (int i = 0; i < WINDOW / 2; i++) {
      received.onPacket(i, i == 0, false, 0);
      assertFalse(received.isAckDue(0), "after " + i);
    }
    received.onPacket(WINDOW / 2, false, false, 0);
    assertTrue(received.isAckDue(0));
    received.onAckSent();

    received.onPacket(WINDOW / 2 + 1, true, false, 0);
    received.onPacket(WINDOW / 2 + 2, false, false, 0);
    assertFalse(received.isAckDue(0), "the first one was acknowledged");
    received.onAckSent();

    for (int i = WINDOW / 2 + 3; i < WINDOW + 3; i++) {
      received.onPacket(i, false, false, 0);
      assertFalse(received.isAckDue(0), "after " + i);
    }
    received.onPacket(WINDOW + 3, false, false, 0);
    assertTrue(received.isAckDue(0), "its sender may want to know of one of those, too");
  }

  @Test
  void shouldNotAcknowledgeAcknowledgements() {
    for (int i = 0; i < 100; i++) {
      received.onPacket(2L * i, false, true, 0);
    }
    assertFalse(received.isAckPending());
  }

  @Test
  void shouldAcknowledgeAtOnceAfterAGapAndAfterAnOvertakenPacket() {
    receive(0);
    received.onAckSent();
    receive(2);
    assertTrue(received.isAckDue(0));
    received.onAckSent();
    receive(3);
    assertFalse(received.isAckDue(0));
    received.onAckSent();
    receive(1);
    assertTrue(received.isAckDue(0));
  }

  @Test
  void shouldNotMissAGapThatAnAcknowledgementRevealed() {
    receive(0);
    received.onAckSent();
    received.onPacket(2, false, false, 0);
    assertFalse(received.isAckDue(0));
    receive(3);
    assertTrue(received.isAckDue(0));
  }

  @Test
  void shouldAcknowledgeAtOnceAfterACongestionMark() {
    received.onPacket(0, true, true, 0);
    assertTrue(received.isAckDue(0));
    received.onPacket(1, false, true, 0);
    assertEquals(2, received.cePackets());
    assertEquals(2, frames.from(received, 0, 9).ecnCePackets());
  }

  @Test
  void shouldTellHowLongTheLargestWaited() {
    received.onPacket(4, true, false, 1000);
    received.onPacket(3, true, false, 5000);
    final AckDecoder ack = frames.from(received, 7000, 9);
    assertEquals(4, ack.largest());
    assertEquals(6000, ack.delayNs());
    assertEquals(0xFFFF_FFFEL, frames.from(received, 1L << 40, 9).delayNs());
  }

  @Test
  void shouldNameRangesNewestFirstAndNoMoreThanAllowed() {
    receive(0, 1, 2, 5, 7, 8, 9, 12);
    assertEquals(List.of(12L, 12L, 9L, 7L, 5L, 5L, 2L, 0L), ranges(9));
    assertEquals(12, received.reportedLargest());
    assertEquals(List.of(12L, 12L, 9L, 7L), ranges(1));
    assertEquals(-1, received.reportedLargest());
    assertEquals(List.of(12L, 12L), ranges(0));
    receive(10, 11);
    assertEquals(List.of(12L, 7L, 5L, 5L, 2L, 0L), ranges(254));
  }

  @Test
  void shouldNameNoMoreRangesThanAFrameCanHold() {
    for (int i = 0; i < 1000; i++) {
      receive(2L * i);
    }
    assertEquals(2 * (ReceivedPackets.MAX_RANGES + 1), ranges(1000).size());
  }

  @Test
  void shouldNotNameAgainWhatThePeerKnows() {
    receive(0, 1, 3, 4, 6);
    ranges(9);
    final long reported = received.reportedLargest();
    receive(7, 9);
    received.onReportConfirmed(reported);
    assertEquals(List.of(9L, 9L, 7L, 7L), ranges(9));
    receive(5);
    assertEquals(List.of(9L, 9L, 7L, 5L), ranges(9));
  }

  @Test
  void shouldStillNameTheLargestIfThePeerKnowsEverything() {
    receive(0, 1, 2);
    ranges(9);
    received.onReportConfirmed(received.reportedLargest());
    assertEquals(List.of(2L, 2L), ranges(9));
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new ReceivedPackets(0, 1, 0, WINDOW));
    assertThrows(IllegalArgumentException.class, () -> new ReceivedPackets(1, -1, 0, WINDOW));
    assertThrows(IllegalArgumentException.class, () -> new ReceivedPackets(1, 1L << 32, 0, WINDOW));
    for (int window : new int[] {64, 200, 1 << 17}) {
      assertThrows(IllegalArgumentException.class, () -> new ReceivedPackets(1, 1, 0, window));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldKnowAndNameWhatASortedSetHolds(long seed) {
    final SplittableRandom random = new SplittableRandom(seed);
    final TreeSet<Long> model = new TreeSet<>();
    long largest = -1;
    for (int step = 0; step < 100_000; step++) {
      final String where = "seed " + seed + " step " + step;
      final long jump = random.nextInt(3000) == 0 ? random.nextInt(3 * WINDOW) : 20;
      final long number = Math.max(0, largest - jump / 2 + random.nextLong(jump));
      final boolean isNew = number > largest - WINDOW && !model.contains(number);
      assertEquals(isNew, received.canAccept(number), where);
      if (isNew) {
        received.onPacket(number, true, false, step);
        model.add(number);
        largest = Math.max(largest, number);
        model.headSet(largest - WINDOW + 1).clear();
      }
      if (step % 100 == 0 && largest >= 0) {
        final int maxRanges = random.nextInt(300);
        final List<Long> all = rangesOf(model);
        final int kept =
            2 * Math.min(Math.min(maxRanges, ReceivedPackets.MAX_RANGES) + 1, all.size() / 2);
        assertEquals(all.subList(0, kept), ranges(maxRanges), where);
      }
    }
  }

  private static List<Long> rangesOf(NavigableSet<Long> numbers) {
    final List<Long> ranges = new ArrayList<>();
    long low = Long.MAX_VALUE;
    for (long number : numbers.descendingSet()) {
      if (number != low - 1) {
        if (!ranges.isEmpty()) {
          ranges.add(low);
        }
        ranges.add(number);
      }
      low = number;
    }
    ranges.add(low);
    return ranges;
  }
}
