package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each walk of {@code docs/architecture.md} is a way of calls through the code. */
final class WalksTest {
  private static final int FEWEST_STEPS = 30;
  private static final Pattern STEP = Pattern.compile("(\\d+)\\. `([\\w.]+)\\.(\\w+)`: .*");

  private record Step(int number, String type, String method) {
    @Override
    public String toString() {
      return type + "." + method;
    }
  }

  private static List<List<Step>> walks() {
    List<List<Step>> walks = new ArrayList<>();
    for (String line :
        SourceTree.current().file("docs/architecture.md").orElseThrow().text().lines().toList()) {
      Matcher step = STEP.matcher(line);
      if (step.matches()) {
        int number = Integer.parseInt(step.group(1));
        if (number == 1) {
          walks.add(new ArrayList<>());
        }
        walks.getLast().add(new Step(number, step.group(2), step.group(3)));
      }
    }
    return walks;
  }

  /** Returns the classes of this name; the name of a nested class has the outer classes ahead. */
  private static List<JavaClass> named(String name) {
    boolean isNested = name.contains(".");
    return ArchitectureTest.CLASSES.stream()
        .filter(type -> type.getName().replace('$', '.').endsWith("." + name))
        .filter(type -> type.isTopLevelClass() != isNested)
        .toList();
  }

  /**
   * A class enters another class if the first depends on the second or on a supertype of the
   * second.
   */
  private static boolean enters(JavaClass from, JavaClass to) {
    Set<JavaClass> known = new HashSet<>(from.getAllRawSuperclasses());
    known.addAll(
        from.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .collect(Collectors.toSet()));
    return known.contains(to)
        || to.getAllRawInterfaces().stream().anyMatch(known::contains)
        || to.getAllRawSuperclasses().stream()
            .anyMatch(above -> above.getName().startsWith("io.millrace") && known.contains(above));
  }

  @Test
  void shouldNameClassesAndMethodsThatAreThere() {
    int steps = 0;
    for (List<Step> walk : walks()) {
      for (Step step : walk) {
        steps++;
        List<JavaClass> types = named(step.type());
        assertEquals(1, types.size(), () -> "classes called " + step.type());
        boolean isThere =
            types.getFirst().getAllMethods().stream()
                .anyMatch(method -> method.getName().equals(step.method()));
        assertTrue(isThere, step::toString);
      }
    }
    int seen = steps;
    assertTrue(seen >= FEWEST_STEPS, () -> "saw only " + seen + " steps");
  }

  @Test
  void shouldNameEachClassOnceInItsWalk() {
    for (List<Step> walk : walks()) {
      List<String> types = walk.stream().map(Step::type).toList();
      assertEquals(types.stream().distinct().toList(), types);
    }
  }

  @Test
  void shouldGoFromEachClassToTheNext() {
    List<String> broken = new ArrayList<>();
    for (List<Step> walk : walks()) {
      for (int i = 1; i < walk.size(); i++) {
        JavaClass from = named(walk.get(i - 1).type()).getFirst();
        JavaClass to = named(walk.get(i).type()).getFirst();
        if (!enters(from, to) && !enters(to, from)) {
          broken.add(from.getSimpleName() + " does not know " + to.getSimpleName());
        }
      }
    }
    assertEquals(List.of(), broken);
  }
}
