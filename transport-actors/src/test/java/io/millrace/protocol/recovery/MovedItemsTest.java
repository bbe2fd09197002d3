package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Items that a probe carries again in place of their first packet. */
class MovedItemsTest {
  private static final long MS = 1_000_000;

  private final RecordingSink sink = new RecordingSink();
  private final AckFrames frames = new AckFrames();
  private final PathRecovery recovery =
      new PathRecovery(
          new RecoverySettings(
              MS,
              0,
              /* patienceNs= */ 0,
              LossSettings.DEFAULT,
              new ProbeTimeoutSettings(3, 2, 1_000_000_000L, 0, 0),
              new SentLogSettings(64, 64, 64, 64)),
          new RecordingController());

  @Test
  void shouldBeHeardOfNoMoreFromThePacketThatCarriedThemFirst() {
    sink.moving = true;
    for (long number = 0; number <= 4; number++) {
      recovery.openPacket(number);
      recovery.addItem(number * 10);
      recovery.onPacketSent(1200, true, 0);
    }
    recovery.onDeadline(recovery.nextDeadlineNs(), sink);
    assertEquals(List.of(0L), sink.retransmitItems);
    recovery.onAnyPacketReceived();
    recovery.onAck(frames.only(4), 4 * MS, sink);
    assertEquals(List.of(0L, 1L), sink.lostPackets.subList(0, 2));
    assertEquals(10L, sink.lostItems.getFirst());
  }
}
