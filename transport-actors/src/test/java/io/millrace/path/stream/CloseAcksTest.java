package io.millrace.path.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.TransferId;
import org.junit.jupiter.api.Test;

/**
 * A single acknowledgement for a slot and direction, never taken for the acknowledgement of another
 * stream.
 */
class CloseAcksTest {
  private static final long FIRST = TransferId.of(0, 1, 5);
  private static final long SECOND = TransferId.of(0, 2, 5);

  private final StreamFrames frames = new StreamFrames();
  private final CloseAcks acks = new CloseAcks(frames);
  private final FrameQueue queue = new FrameQueue();

  private StreamCloseAckFrame added(long id, boolean isResponse) {
    StreamCloseAckFrame frame = acks.add(id, isResponse);
    assertNotNull(frame);
    queue.add(frame);
    return frame;
  }

  @Test
  void shouldLetWhatWaitsSpeakOfTheNextStreamOfItsSlot() {
    StreamCloseAckFrame frame = added(FIRST, false);
    long item = frame.item();
    assertNull(acks.add(FIRST, false));
    assertNull(acks.add(SECOND, false));
    assertEquals(SECOND, frame.transferId());
    assertEquals(1, acks.size());
    assertEquals(1, frames.size());
    // A copy sent before the change arrives: the copy names the former stream.
    assertEquals(-1, frames.onDelivered(item));
    assertFalse(frame.isObsolete());
    queue.poll(0);
    assertEquals(0, frames.onDelivered(frame.item()));
    assertEquals(0, acks.size());
    assertEquals(0, frames.size());
  }

  @Test
  void shouldForgetWhatIsOnItsWayOnceItsSlotHasAnotherStream() {
    StreamCloseAckFrame first = added(FIRST, true);
    queue.poll(0);
    StreamCloseAckFrame second = added(SECOND, true);
    assertNull(frames.find(first.item()));
    assertSame(second, frames.find(second.item()));
    assertEquals(1, acks.size());
    assertEquals(-1, frames.onDelivered(first.item()));
    assertEquals(1, acks.size());
  }

  @Test
  void shouldKeepDirectionsApart() {
    added(FIRST, true);
    added(FIRST, false);
    assertEquals(2, acks.size());
  }

  @Test
  void shouldBeginAnewWhenWhatWaitsHasArrivedMeanwhile() {
    StreamCloseAckFrame first = added(FIRST, true);
    frames.onDelivered(first.item());
    StreamCloseAckFrame second = added(SECOND, true);
    assertTrue(first.isObsolete());
    frames.onUnqueued((StreamFrame) queue.poll(0));
    assertEquals(1, acks.size());
    assertFalse(second.isObsolete());
  }
}
