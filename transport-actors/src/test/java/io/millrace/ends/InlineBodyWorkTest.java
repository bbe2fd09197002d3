package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Work of bodies on the calling thread. */
class InlineBodyWorkTest {
  private final BodyWork work = new InlineBodyWork();
  private final List<String> told = new ArrayList<>();

  @Test
  void shouldRunATaskBeforeItReturnsAndOneThatATaskGivesAfterThat() {
    work.give(
        LaneTask.always(
            () -> {
              work.giveWork(LaneTask.always(() -> told.add("given " + work.waiting())));
              told.add("giver " + work.waiting());
            }));
    assertEquals(List.of("giver 1", "given 0"), told);
  }
}
