package io.millrace.samples.log.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/**
 * The turns of a replica run one at a time, and long turns never on the thread that brings them.
 */
final class TurnsTest {
  private final Queue<Runnable> handedOver = new ArrayDeque<>();
  private final List<String> ran = new ArrayList<>();
  private final Turns turns = new Turns(handedOver::add);

  private Runnable step(String name) {
    return () -> ran.add(name);
  }

  @Test
  void shouldRunATurnBroughtByATurnAfterThatTurn() {
    turns.execute(
        () -> {
          turns.execute(step("second"));
          ran.add("first");
        });
    assertEquals(List.of("first", "second"), ran);
  }

  @Test
  void shouldRunALongTurnOnTheExecutorAndTheLaterTurnsBehind() {
    turns.execute(
        () -> {
          turns.executeLong(step("long"));
          turns.execute(step("behind"));
          ran.add("first");
        });
    turns.execute(step("last"));
    assertEquals(List.of("first"), ran);
    assertEquals(1, handedOver.size());
    handedOver.remove().run();
    assertEquals(List.of("first", "long", "behind", "last"), ran);
    turns.execute(step("here"));
    assertEquals("here", ran.getLast());
  }

  @Test
  void shouldGoOnAfterATurnThatThrows() {
    turns.execute(
        () -> {
          throw new IllegalStateException("planted");
        });
    turns.execute(step("next"));
    assertEquals(List.of("next"), ran);
  }

  @Test
  void shouldGoOnAfterAnError() {
    turns.execute(
        () -> {
          throw new AssertionError("planted");
        });
    turns.execute(step("next"));
    assertEquals(List.of("next"), ran);
  }

  @Test
  void shouldHandOverWhereTurnsComeWithoutEnd() {
    int[] left = {1_000};
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          if (left[0]-- > 0) {
            turns.execute(again[0]);
          }
        };
    turns.execute(again[0]);
    assertEquals(1, handedOver.size());
    handedOver.remove().run();
    assertEquals(-1, left[0]);
  }

  @Test
  void shouldRunALongTurnHereOnceTheExecutorRefuses() {
    Turns alone =
        new Turns(
            _ -> {
              throw new RejectedExecutionException("planted");
            });
    alone.executeLong(step("long"));
    alone.execute(step("next"));
    assertEquals(List.of("long", "next"), ran);
  }

  @Test
  void shouldRunNoTurnAfterTheEnd() {
    turns.end(step("end"));
    turns.execute(step("late"));
    assertEquals(List.of("end"), ran);
  }
}
