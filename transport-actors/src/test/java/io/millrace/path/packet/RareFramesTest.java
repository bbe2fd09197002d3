package io.millrace.path.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

/** The path keeps frames that must arrive separately, frame by frame. */
class RareFramesTest {
  private static final class EmptyFrame extends RareFrame {
    @Override
    public int encodedLength() {
      return 0;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {}

    @Override
    public boolean isObsolete() {
      return false;
    }
  }

  @Test
  void shouldSayThatTooManyHaveNotArrived() {
    RareFrames frames = new RareFrames();
    int count = 0;
    while (!frames.areTooMany()) {
      frames.add(new EmptyFrame());
      count++;
    }
    assertEquals(RareFrames.MOST_BYTES / 128, count);
    RareFrame last = new EmptyFrame();
    frames.add(last);
    frames.onDelivered(last.item());
    frames.onDelivered(last.item());
    assertEquals(count, frames.size());
    frames.onDelivered(new EmptyFrame().item());
    assertFalse(frames.areTooMany());
  }

  @Test
  void shouldKeepOneWhenAnotherHasArrived() {
    RareFrames frames = new RareFrames();
    RareFrame first = new EmptyFrame();
    RareFrame second = new EmptyFrame();
    frames.add(first);
    frames.add(second);
    assertSame(first, frames.find(first.item()));
    assertSame(second, frames.find(second.item()));
    frames.onDelivered(first.item());
    assertNull(frames.find(first.item()));
    assertSame(second, frames.find(second.item()));
    assertEquals(1, frames.size());
  }
}
