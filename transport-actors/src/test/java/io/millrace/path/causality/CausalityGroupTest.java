package io.millrace.path.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.config.CausalitySettings;
import io.millrace.ends.Submission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Calls in line for slots; the test's thread is the worker. */
class CausalityGroupTest {
  private static final int SLOTS = 8;
  private static final int MOST_IN_LINE = 16;

  private final Queue<Submission> inbox = new ArrayDeque<>();
  private final CausalityGroup group =
      new CausalityGroup(0, 1, 1, new CausalitySettings(SLOTS, SLOTS, 0), MOST_IN_LINE, inbox::add);

  /** As when two calls waiting for the same transfer ask for a slot of the transfer at once. */
  @Test
  void shouldServeTheLineWithASlotThatAnotherThreadTookInVain() {
    List<SlotToken> taken = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      taken.add(bound());
    }
    SlotToken waiting = bound();
    assertEquals(0, waiting.id());
    work();
    assertEquals(1, group.waiting());

    group.bind(taken.getFirst(), taken.getLast().id());
    work();

    assertNotEquals(0, waiting.id(), "a call waits beside a free slot");
    assertEquals(0, group.waiting());
  }

  /**
   * A token without a slot keeps its end until the token gets a slot: a later end must not replace
   * the first.
   */
  @Test
  void shouldKeepTheFirstEndOfATokenThatIsEndedTwice() {
    List<SlotToken> taken = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      taken.add(bound());
    }
    OpenToken open = new OpenToken(group);
    open.end(true);
    open.end(false);
    work();
    assertEquals(0, open.token().id());
    assertEquals(true, open.token().endedWell());

    group.end(taken.getFirst(), true, 0);
    work();
    assertNotEquals(0, open.token().id());
    assertEquals(0, group.waiting());
  }

  @Test
  void shouldLetNoMoreWaitForSlotsThanTheLineHolds() {
    for (int i = 0; i < SLOTS + MOST_IN_LINE; i++) {
      bound();
    }
    assertEquals(MOST_IN_LINE, group.waiting());
    assertNotNull(group.bind(List.of(group.newToken()), () -> {}));
    assertEquals(MOST_IN_LINE, group.waiting());
  }

  private SlotToken bound() {
    SlotToken token = group.newToken();
    assertNull(group.bind(List.of(token), () -> {}));
    return token;
  }

  private void work() {
    while (!inbox.isEmpty()) {
      inbox.remove().onTaken(0);
    }
  }
}
