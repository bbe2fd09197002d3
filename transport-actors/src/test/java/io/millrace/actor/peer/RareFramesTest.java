package io.millrace.actor.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.actor.body.WriteFlags;
import io.millrace.wire.codec.ResetReason;
import org.junit.jupiter.api.Test;

/** Frames that must arrive are kept one by one. */
class RareFramesTest {
  @Test
  void shouldKeepTheResetOfOneDirectionWhenThatOfTheOtherHasArrived() {
    RareFrames frames = new RareFrames();
    FlowResetFrame request = new FlowResetFrame(7, 0, ResetReason.SOURCE_FAILED, "a");
    FlowResetFrame response =
        new FlowResetFrame(7, WriteFlags.RESPONSE, ResetReason.TARGET_FAILED, "b");
    frames.add(request);
    frames.add(response);
    assertSame(request, frames.find(request.item()));
    assertSame(response, frames.find(response.item()));
    frames.onDelivered(request.item());
    assertNull(frames.find(request.item()));
    assertSame(response, frames.find(response.item()));
    assertEquals(1, frames.size());
  }
}
