package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A stage that calls back more than once. */
class FirstEndTest {
  private final List<String> told = new ArrayList<>();
  private final FirstEnd<String> end =
      new FirstEnd<>(
          (value, failure) -> told.add("ended with " + value + " and " + failure),
          surplus -> told.add("surplus " + surplus));

  @Test
  void shouldPassOnTheFirstEndAndHandOverWhatNobodyHas() {
    end.accept("first", null);
    end.accept("second", null);
    end.accept(null, new IllegalStateException());
    end.accept("first", null);
    assertEquals(
        List.of("ended with first and null", "surplus second", "surplus null", "surplus null"),
        told);
  }

  @Test
  void shouldHandOverTheValueThatComesAfterAFailure() {
    end.accept(null, null);
    end.accept("late", null);
    assertEquals(List.of("ended with null and null", "surplus late"), told);
  }
}
