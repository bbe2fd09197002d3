package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameStartingWith;
import static io.millrace.tree.ArchitectureTest.CLASSES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The classes of Agrona that Millrace uses: no class that needs the internals of the JDK, for which
 * a JVM wants a flag.
 */
final class AgronaTest {
  private static final String AGRONA = "org.agrona..";
  private static final String INTERNALS = "org.agrona.UnsafeApi";

  /** Aeron's processes have the flag. */
  private static final DescribedPredicate<JavaClass> AERON =
      resideInAPackage("io.millrace.samples.bench.aeron..")
          .or(
              resideInAPackage("io.millrace.samples.bench.faults")
                  .and(simpleNameStartingWith("Aeron")));

  /** Besides the collections; a new name is added once the second test has passed with it. */
  private static final Set<String> ALLOWED =
      Set.of(
          "org.agrona.AsciiNumberFormatException",
          "org.agrona.DirectBuffer",
          "org.agrona.MutableDirectBuffer",
          "org.agrona.concurrent.BackoffIdleStrategy",
          "org.agrona.concurrent.IdleStrategy",
          "org.agrona.concurrent.NanoClock",
          "org.agrona.concurrent.SystemNanoClock");

  @Test
  void shouldUseOnlyWhatIsListed() {
    SortedSet<String> used =
        CLASSES.stream()
            .filter(AERON.negate())
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .map(dependency -> dependency.getTargetClass().getBaseComponentType())
            .filter(resideInAnyPackage(AGRONA))
            .filter(type -> !type.getPackageName().equals("org.agrona.collections"))
            .map(JavaClass::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(ALLOWED), used);
  }

  /** A class that reaches the internals in many steps may load them, too. */
  @Test
  void shouldReachNoInternalsFromWhatIsListed() {
    JavaClasses agrona = new ClassFileImporter().importPackages("org.agrona");
    assertTrue(agrona.contain(INTERNALS), "the class that has the internals has another name");
    SortedSet<String> reaching = new TreeSet<>();
    for (JavaClass type : agrona) {
      boolean isListed =
          ALLOWED.contains(type.getName())
              || type.getPackageName().equals("org.agrona.collections");
      if (isListed && reach(type).contains(INTERNALS)) {
        reaching.add(type.getName());
      }
    }
    assertEquals(new TreeSet<>(), reaching);
  }

  private static Set<String> reach(JavaClass from) {
    Set<String> seen = new TreeSet<>(Set.of(from.getName()));
    Deque<JavaClass> open = new ArrayDeque<>(Set.of(from));
    while (!open.isEmpty()) {
      open.pop().getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(type -> type.getName().startsWith("org.agrona."))
          .filter(type -> seen.add(type.getName()))
          .forEach(open::push);
    }
    return seen;
  }
}
