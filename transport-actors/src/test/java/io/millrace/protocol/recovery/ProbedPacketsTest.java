package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The packet whose frames a path sends again while no acknowledgement comes. */
class ProbedPacketsTest {
  private static final long R = RecoveryLab.R;

  private final RecoveryLab lab = new RecoveryLab();
  private final RecordingSink sink = lab.sink;
  private final AckFrames frames = lab.frames;
  private final PathRecovery recovery = lab.recovery;

  @Test
  void shouldReportTheOldestPacketForRetransmissionAndKeepItOutstanding() {
    lab.sendUpTo(2, 0);
    lab.ack(frames.only(0), R);
    recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    assertEquals(List.of(10L), sink.retransmitItems);
    lab.ack(frames.upTo(1), 5 * R);
    assertEquals(List.of(0L, 10L), sink.ackedItems);
    assertTrue(sink.lostItems.isEmpty());
  }

  @Test
  void shouldGoOnToTheNextPacketWhileNothingIsAcknowledgedAndThenStartOver() {
    lab.sendUpTo(2, 0);
    for (int i = 0; i < 5; i++) {
      // Packets arrive, so the timeout starts over; but the packets acknowledge no packet.
      recovery.onAnyPacketReceived();
      recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    }
    assertEquals(List.of(0L, 10L, 20L, 0L, 10L), sink.retransmitItems);
    lab.ack(frames.only(0), R);
    recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    assertEquals(10L, sink.retransmitItems.getLast(), "the oldest again");
  }
}
