package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The signatures of the API are all that an application sees of Millrace: no type of the engine.
 */
final class ApiSurfaceTest {
  private static final List<String> ENGINE =
      List.of(
          "io.millrace.access.admission.",
          "io.millrace.actor.",
          "io.millrace.body.",
          "io.millrace.ends.",
          "io.millrace.engine.",
          "io.millrace.loop.",
          "io.millrace.nic.",
          "io.millrace.path.",
          "io.millrace.worker.",
          "io.millrace.protocol.",
          "io.millrace.wire.",
          "io.millrace.crypto.",
          "io.millrace.buffer.");

  /** Fewer types than this number mean that the test has looked at nothing. */
  private static final int FEWEST_TYPES = 30;

  /** The most top-level types that the API may have; a new type should be worth learning. */
  private static final int MOST_TYPES = 52;

  private static final int MOST_OF_AN_ACTOR = 2;

  /** Types for code that waits, beside the types above. */
  private static final int MOST_FOR_CODE_THAT_WAITS = 6;

  @Test
  void shouldShowNoTypeOfTheEngine() {
    List<JavaClass> types = new ArrayList<>(Surface.visible("io.millrace.api"));
    types.addAll(Surface.visible("io.millrace.transfer"));
    types.addAll(Surface.visible("io.millrace.node"));
    Set<String> found = Surface.named(types, ENGINE);
    assertTrue(types.size() >= FEWEST_TYPES, () -> "saw only " + types.size() + " types");
    assertEquals(Set.of(), found);
  }

  @Test
  void shouldStaySmall() {
    long types =
        Surface.visible("io.millrace.api").stream().filter(JavaClass::isTopLevelClass).count();
    long waiting =
        Surface.visible("io.millrace.api.blocking").stream()
            .filter(JavaClass::isTopLevelClass)
            .count();
    assertEquals(MOST_FOR_CODE_THAT_WAITS, waiting);
    assertTrue(types - waiting <= MOST_TYPES, () -> types + " types");
    assertEquals(MOST_OF_AN_ACTOR, Surface.visible("io.millrace.api.actor").size());
  }
}
