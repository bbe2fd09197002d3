package io.millrace.actor.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

/** Frames that must arrive are kept one by one. */
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
