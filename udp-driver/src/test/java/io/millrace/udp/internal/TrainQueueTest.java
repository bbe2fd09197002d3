package io.millrace.udp.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TrainQueueTest {
  private static final int BUFFERS = 4;

  private final Arena arena = Arena.ofConfined();
  private final TrainQueue queue = new TrainQueue(arena, BUFFERS, 10_000);

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void shouldKeepBuffersAwayFromPageStartsAndEachOther() {
    List<Long> addresses = new ArrayList<>();
    for (SendBuffer buffer = queue.acquire(); buffer != null; buffer = queue.acquire()) {
      long address = buffer.buffer().addressOffset();
      assertEquals(128, address % 4_096);
      assertEquals(10_000, buffer.capacity());
      for (long other : addresses) {
        assertTrue(Math.abs(other - address) >= 10_000);
      }
      addresses.add(address);
    }
    assertEquals(BUFFERS, addresses.size());
  }

  @Test
  void shouldRefuseBufferThatIsNotAcquired() {
    SendBuffer buffer = acquire();
    queue.release(buffer);
    assertThrows(IllegalStateException.class, () -> queue.release(buffer));
    assertThrows(IllegalStateException.class, () -> queue.post(buffer, 0, 1, 1, 0));
    SendBuffer again = acquire();
    queue.post(again, 0, 1, 1, 0);
    assertThrows(IllegalStateException.class, () -> queue.post(again, 0, 1, 1, 0));
    assertThrows(IllegalStateException.class, () -> queue.release(again));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldGivePagesOfFreeBuffersBackAndNoOthers() {
    int bytes = 64 << 10;
    TrainQueue large = new TrainQueue(arena, BUFFERS, bytes);
    List<SendBuffer> all = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      SendBuffer buffer = Objects.requireNonNull(large.acquire());
      buffer.buffer().setMemory(0, bytes, (byte) 1);
      all.add(buffer);
    }
    for (int i = 0; i < BUFFERS; i++) {
      if (i != 1) {
        large.release(all.get(i));
      }
    }

    large.giveBack();

    int resident = 0;
    for (SendBuffer buffer : all) {
      for (int at = 0; at < bytes; at++) {
        resident += buffer.buffer().getByte(at);
      }
    }
    SegmentBuffer held = all.get(1).buffer();
    for (int at = 0; at < bytes; at++) {
      assertEquals(1, held.getByte(at));
    }
    // The held buffer shares pages with its neighbours, and the mapping ends within a page.
    assertTrue(resident <= bytes + 2 * 4_096, resident + " bytes are as they were");
  }

  @Test
  void shouldRefuseBufferOfAnotherQueue() {
    TrainQueue other = new TrainQueue(arena, BUFFERS, 100);
    SendBuffer foreign = other.acquire();
    assertNotNull(foreign);
    acquire();
    assertThrows(IllegalStateException.class, () -> queue.release(foreign));
  }

  @Test
  void shouldKeepOrderOfTrainsThatStay() {
    for (int i = 0; i < BUFFERS; i++) {
      queue.post(acquire(), 0, 10, 10, i);
    }
    queue.posted(1).onSent(10);
    queue.posted(3).onFailed(10, CompletionHandler.STATUS_FAILED);
    queue.retireHandled();
    assertEquals(2, queue.postedCount());
    assertEquals(0, queue.posted(0).context());
    assertEquals(2, queue.posted(1).context());
    assertEquals(List.of("1:0", "3:1"), reap());
  }

  @Test
  void shouldSurviveHandlerThatPostsAndFlushes() {
    for (int i = 0; i < BUFFERS; i++) {
      queue.post(acquire(), 0, 10, 10, i);
    }
    queue.posted(0).onSent(10);
    queue.posted(1).onSent(10);
    queue.retireHandled();
    List<Long> contexts = new ArrayList<>();
    CompletionHandler handler =
        new CompletionHandler() {
          @Override
          public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {}

          @Override
          public void onSendComplete(long context, int status) {
            contexts.add(context);
            queue.post(acquire(), 0, 10, 10, context + 10);
            for (int i = 0; i < queue.postedCount(); i++) {
              queue.posted(i).onSent(queue.posted(i).remainingBytes());
            }
            queue.retireHandled();
          }
        };
    assertEquals(2, queue.reap(handler));
    assertEquals(List.of(0L, 1L), contexts);
    assertEquals(List.of("2:0", "3:0", "10:0", "11:0"), reap());
  }

  @Test
  void shouldNeverLoseOrDoubleBuffers() {
    long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    System.out.println("train queue: -Dmillrace.test.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<SendBuffer> mine = new ArrayList<>();
    int posted = 0;
    int completed = 0;
    for (int step = 0; step < 100_000; step++) {
      switch (random.nextInt(5)) {
        case 0 -> {
          SendBuffer buffer = queue.acquire();
          assertEquals(mine.size() + posted - completed < BUFFERS, buffer != null, "seed " + seed);
          if (buffer != null) {
            mine.add(buffer);
          }
        }
        case 1 -> {
          if (!mine.isEmpty()) {
            queue.release(mine.removeLast());
          }
        }
        case 2 -> {
          if (!mine.isEmpty()) {
            queue.post(mine.removeLast(), 0, 10, 10, posted++);
          }
        }
        case 3 -> {
          sendSome(random);
          queue.retireHandled();
        }
        default -> completed += reap().size();
      }
    }
    assertTrue(completed > 1_000, "completed " + completed);
  }

  private void sendSome(SplittableRandom random) {
    for (int i = 0; i < queue.postedCount(); i++) {
      if (random.nextBoolean()) {
        queue.posted(i).onSent(10);
      }
    }
  }

  private List<String> reap() {
    List<String> completions = new ArrayList<>();
    queue.reap(
        new CompletionHandler() {
          @Override
          public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {}

          @Override
          public void onSendComplete(long context, int status) {
            completions.add(context + ":" + status);
          }
        });
    return completions;
  }

  private SendBuffer acquire() {
    SendBuffer buffer = queue.acquire();
    assertNotNull(buffer);
    return buffer;
  }

  @Test
  void shouldHaveNothingLeftWhenClosed() {
    queue.close();
    assertNull(queue.acquire());
  }
}
