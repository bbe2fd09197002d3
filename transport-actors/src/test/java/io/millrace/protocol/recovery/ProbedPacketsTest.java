package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.wire.codec.AckDecoder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of which packet the frames are sent again when nothing is acknowledged. */
class ProbedPacketsTest {
  private static final long R = 1_000_000;

  private static final RecoverySettings SETTINGS =
      new RecoverySettings(
          R,
          0,
          LossSettings.DEFAULT,
          new ProbeTimeoutSettings(3, 2, 1_000_000_000L, 0, 0),
          new SentLogSettings(64, 64, 64, 64));

  private final RecordingSink sink = new RecordingSink();
  private final AckFrames frames = new AckFrames();
  private final PathRecovery recovery = new PathRecovery(SETTINGS, new RecordingController());

  /** Sends packets that carry their own number, times ten, as their only item. */
  private void sendUpTo(long last, long nowNs) {
    for (long number = recovery.nextPacketNumber(); number <= last; number++) {
      recovery.openPacket(number);
      recovery.addItem(number * 10);
      recovery.onPacketSent(1200, true, nowNs);
    }
  }

  private void ack(AckDecoder ack, long nowNs) {
    recovery.onAnyPacketReceived();
    assertEquals(AckOutcome.APPLIED, recovery.onAck(ack, nowNs, sink));
  }

  @Test
  void shouldReportTheOldestPacketForRetransmissionAndKeepItOutstanding() {
    sendUpTo(2, 0);
    ack(frames.only(0), R);
    recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    assertEquals(List.of(10L), sink.retransmitItems);
    ack(frames.upTo(1), 5 * R);
    assertEquals(List.of(0L, 10L), sink.ackedItems);
    assertTrue(sink.lostItems.isEmpty());
  }

  @Test
  void shouldGoOnToTheNextPacketWhileNothingIsAcknowledgedAndThenStartOver() {
    sendUpTo(2, 0);
    for (int i = 0; i < 5; i++) {
      // Packets come, so the timeout starts over; but they acknowledge nothing.
      recovery.onAnyPacketReceived();
      recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    }
    assertEquals(List.of(0L, 10L, 20L, 0L, 10L), sink.retransmitItems);
    ack(frames.only(0), R);
    recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    assertEquals(10L, sink.retransmitItems.getLast(), "the oldest again");
  }
}
