package io.millrace.api.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers begin within the bytes of the gate, and one peer after the other. */
@Timeout(60)
class HandlerGateTest {
  private static final int ONE = HandlerGate.THREAD_BYTES;

  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final Semaphore ends = new Semaphore(0);

  private HandlerGate.Entry enter(HandlerGate gate, String peer, String name, long bytes) {
    return gate.enter(
        peer,
        bytes,
        () -> {
          begun.add(name);
          try {
            ends.acquire();
          } catch (InterruptedException e) {
            begun.add(name + " interrupted");
          }
        });
  }

  private String next() throws InterruptedException {
    return String.valueOf(begun.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void shouldLetPeersBeginInTurns() throws Exception {
    HandlerGate gate = new HandlerGate(ONE);
    enter(gate, "a", "a1", 0);
    enter(gate, "a", "a2", 0);
    enter(gate, "a", "a3", 0);
    enter(gate, "b", "b1", 0);
    enter(gate, "b", "b2", 0);
    for (String name : List.of("a1", "a2", "b1", "a3", "b2")) {
      assertEquals(name, next());
      assertEquals(1, gate.running());
      ends.release();
    }
  }

  @Test
  void shouldHoldALongRequestUntilItFitsAndLetNobodyOvertake() throws Exception {
    HandlerGate gate = new HandlerGate(3 * ONE);
    enter(gate, "a", "short", 0);
    assertEquals("short", next());
    HandlerGate.Entry longer = enter(gate, "a", "long", 10 * ONE);
    HandlerGate.Entry behind = enter(gate, "b", "behind", 0);
    assertEquals(2, gate.waiting());
    assertEquals(ONE, gate.usedBytes());
    ends.release();
    assertEquals("long", next());
    assertEquals(11 * ONE, gate.usedBytes());
    assertEquals(1, gate.waiting());
    longer.cancel();
    assertEquals("long interrupted", next());
    assertEquals("behind", next());
    assertEquals(ONE, gate.usedBytes());
    behind.cancel();
    assertEquals("behind interrupted", next());
  }

  @Test
  void shouldForgetACancelledHandlerAndGoOnBehindIt() throws Exception {
    HandlerGate gate = new HandlerGate(2 * ONE);
    enter(gate, "a", "first", 0);
    assertEquals("first", next());
    HandlerGate.Entry large = enter(gate, "a", "large", ONE);
    enter(gate, "b", "second", 0);
    assertEquals(2, gate.waiting());
    large.cancel();
    assertEquals("second", next());
    large.cancel();
    ends.release(2);
    enter(gate, "a", "third", ONE);
    assertEquals("third", next());
    assertEquals(0, gate.waiting());
    ends.release();
  }

  @Test
  void shouldRefuseTooFewBytes() {
    String text =
        assertThrows(IllegalArgumentException.class, () -> new HandlerGate(ONE - 1)).getMessage();
    assertTrue(String.valueOf(text).contains("2048"), text);
  }
}
