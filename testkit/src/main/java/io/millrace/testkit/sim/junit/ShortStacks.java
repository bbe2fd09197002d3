package io.millrace.testkit.sim.junit;

import io.millrace.testkit.internal.core.SimViolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.opentest4j.AssertionFailedError;

/**
 * Keeps the telling frames of stacks: the code of the application, and the place where an exception
 * of the application was thrown.
 */
final class ShortStacks {
  private static final int MOST = 12;
  private static final List<String> MACHINERY =
      List.of(
          "io.millrace.testkit.internal.",
          "io.millrace.testkit.sim.",
          "org.apache.maven.",
          "org.apache.pekko.",
          "org.junit.",
          "scala.",
          "java.",
          "jdk.internal.");

  private ShortStacks() {}

  /** Shortens the stacks of a failure, which this package made, and of all its causes. */
  static void shorten(AssertionFailedError failure) {
    failure.setStackTrace(new StackTraceElement[0]);
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Throwable next = failure.getCause();
    while (next != null && seen.add(next)) {
      next.setStackTrace(shortened(next.getStackTrace(), !(next instanceof SimViolation)));
      next = next.getCause();
    }
  }

  private static StackTraceElement[] shortened(StackTraceElement[] stack, boolean keepsFirst) {
    List<StackTraceElement> kept = new ArrayList<>();
    for (int i = 0; i < stack.length && kept.size() < MOST; i++) {
      if (i == 0 && keepsFirst || !isMachinery(stack[i])) {
        kept.add(stack[i]);
      }
    }
    return kept.toArray(StackTraceElement[]::new);
  }

  private static boolean isMachinery(StackTraceElement frame) {
    return MACHINERY.stream().anyMatch(frame.getClassName()::startsWith);
  }
}
