package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every step of an end is taken. */
class AllStepsTest {
  private final List<String> taken = new ArrayList<>();

  private Runnable throwing(RuntimeException failure) {
    return () -> {
      taken.add(String.valueOf(failure.getMessage()));
      throw failure;
    };
  }

  @Test
  void shouldTakeAllStepsThoughSomeThrow() {
    RuntimeException first = new IllegalStateException("first");
    RuntimeException second = new IllegalStateException("second");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () -> AllSteps.run(throwing(first), () -> taken.add("well"), throwing(second)));
    assertEquals(List.of("first", "well", "second"), taken);
    assertSame(first, thrown.getCause());
    assertEquals(List.of(second), List.of(first.getSuppressed()));
  }

  @Test
  void shouldTakeTheStepForEachThoughItThrowsAnError() {
    assertThrows(
        IllegalStateException.class,
        () ->
            AllSteps.forEach(
                List.of("a", "b"),
                each -> {
                  taken.add(each);
                  throw new StackOverflowError("planted");
                }));
    assertEquals(List.of("a", "b"), taken);
  }
}
