package io.millrace.buffer;

import static io.millrace.buffer.BufferPhase.ALLOCATED;
import static io.millrace.buffer.BufferPhase.FILLED;
import static io.millrace.buffer.BufferPhase.FREE;
import static io.millrace.buffer.BufferPhase.WRITING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.buffer.BufferPhase.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BufferPhaseTest {
  // Rows are phases, columns are events, both in the order of their declaration.
  private static final @Nullable BufferPhase[][] TABLE = {
    {ALLOCATED, null, null, null, null, null},
    {null, WRITING, null, ALLOCATED, ALLOCATED, FREE},
    {null, null, FILLED, WRITING, WRITING, FREE},
    {null, null, null, FILLED, FILLED, FREE},
  };

  @Test
  void shouldFollowTheTableInEveryPhaseAndForEveryEvent() {
    for (BufferPhase phase : BufferPhase.values()) {
      for (Event event : Event.values()) {
        assertEquals(
            TABLE[phase.ordinal()][event.ordinal()], phase.after(event), () -> phase + " " + event);
      }
    }
  }

  @Test
  void shouldDoToABufferWhatTheTableSays() {
    for (BufferPhase phase : BufferPhase.values()) {
      for (Event event : Event.values()) {
        if (event != Event.ALLOCATE) {
          walk(phase, event);
        }
      }
    }
  }

  private static void walk(BufferPhase phase, Event event) {
    try (BufferRegistry registry =
        new BufferRegistry(new BufferSettings(List.of(new BlockClass(8192, 1)), 8192))) {
      TransferBuffer buffer = Buffers.allocate(registry, 100, "table");
      if (event == Event.RELEASE && phase != FREE) {
        buffer.retain();
      }
      if (phase == WRITING || phase == FILLED) {
        buffer.beginWrite();
      }
      if (phase == FILLED) {
        buffer.fill(7);
      }
      if (phase == FREE) {
        buffer.release();
      }
      BufferPhase after = phase.after(event);
      if (after == null) {
        assertThrows(IllegalStateException.class, () -> apply(buffer, event), phase + " " + event);
        assertEquals(phase, buffer.phase());
        assertEquals(phase == FILLED ? 7 : 0, buffer.lengthBytes());
      } else {
        apply(buffer, event);
        assertEquals(after, buffer.phase(), phase + " " + event);
      }
      assertEquals(buffer.phase() == FREE ? 1 : 0, registry.freeBlocks(0));
      assertEquals(buffer.phase() != FREE, registry.tryAllocate(8192, "other") == null);
    }
  }

  private static void apply(TransferBuffer buffer, Event event) {
    switch (event) {
      case BEGIN_WRITE -> buffer.beginWrite();
      case FILL -> buffer.fill(5);
      case RETAIN -> buffer.retain();
      case RELEASE, RELEASE_LAST -> buffer.release();
      case ALLOCATE -> throw new AssertionError("a buffer is not allocated twice");
    }
  }
}
