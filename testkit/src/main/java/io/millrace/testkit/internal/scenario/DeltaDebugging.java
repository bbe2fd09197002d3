package io.millrace.testkit.internal.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failing list smaller, as long as the list fails: leaves out half of the list, then
 * quarters, and so on down to single items (ddmin). The result needs each of its items, unless the
 * tests ran out.
 */
final class DeltaDebugging {
  private DeltaDebugging() {}

  /**
   * Returns a smaller list that fails as well, or the same list.
   *
   * @param items known to fail
   * @param fails whether a part of the items, in the same order, still fails; false also after the
   *     last test allowed
   */
  static <T> List<T> minimize(List<T> items, Predicate<List<T>> fails) {
    if (items.isEmpty() || fails.test(List.of())) {
      return List.of();
    }
    List<T> left = items;
    int parts = 2;
    while (left.size() > 1) {
      List<T> smaller = firstFailing(left, parts, fails);
      if (smaller != null) {
        left = smaller;
        parts = Math.max(2, parts - 1);
      } else if (parts < left.size()) {
        parts = Math.min(left.size(), 2 * parts);
      } else {
        break;
      }
    }
    return left;
  }

  private static <T> @Nullable List<T> firstFailing(
      List<T> items, int parts, Predicate<List<T>> fails) {
    for (int i = 0; i < parts; i++) {
      List<T> rest = new ArrayList<>(items.subList(0, start(items, parts, i)));
      rest.addAll(items.subList(start(items, parts, i + 1), items.size()));
      if (fails.test(rest)) {
        return rest;
      }
    }
    return null;
  }

  private static int start(List<?> items, int parts, int part) {
    return (int) ((long) items.size() * part / parts);
  }
}
