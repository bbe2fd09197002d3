package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.tree.ArchitectureTest.CLASSES;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Holds the rules for machines: no machine reads a clock, draws at random, starts a thread, depends
 * on hash order, or grows.
 */
final class MachineRulesTest {
  private static final String MACHINES = "io.millrace.protocol..";
  private static final String PATH = "io.millrace.path..";
  private static final int PATH_PREFIX = "io.millrace.path.".length();
  private static final int MOST_FIELDS = 20;

  /**
   * Classes that a machine does not reach: network, threads, clocks, values that differ from run to
   * run.
   */
  private static final DescribedPredicate<JavaClass> WORLD =
      resideInAnyPackage(
              "java.net..", "java.nio.channels..", "java.util.concurrent..", "java.util.logging..")
          .or(nameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup).*"))
          .or(nameMatching("java\\.lang\\.(Thread|ThreadLocal|Runtime|Process.*|System\\$Logger)"))
          .or(nameMatching("java\\.time\\.(Clock|Instant|Local.*|Zoned.*|Offset.*)"))
          .or(nameMatching("java\\.util\\.(Timer|IdentityHashMap|WeakHashMap)"))
          .or(nameMatching("java\\.security\\.SecureRandom"))
          // A clock by another name.
          .or(nameMatching("java\\.util\\.function\\.LongSupplier"))
          .or(nameMatching("org\\.agrona\\.concurrent\\.(.*Clock|Agent.*|.*IdleStrategy)"));

  /**
   * Types of a path with more fields than {@link #MOST_FIELDS}. The list is exact: the list may
   * only become shorter.
   */
  private static final SortedSet<String> LARGE = new TreeSet<>();

  /** Methods whose answer differs from run to run, by their class. */
  private static final Map<String, Set<String>> UNREPEATABLE =
      Map.of(
          "java.lang.System", Set.of("nanoTime", "currentTimeMillis", "identityHashCode"),
          "java.lang.Math", Set.of("random"),
          "java.util.UUID", Set.of("randomUUID"));

  /** Factories of collections whose order changes with every start of the JVM. */
  private static final Map<String, Set<String>> UNORDERED =
      Map.of(
          "java.util.Set", Set.of("of", "copyOf"),
          "java.util.Map", Set.of("of", "ofEntries", "copyOf"));

  @Test
  void shouldReachNeitherNetworkNorThreadNorClockFromAMachine() {
    noClasses()
        .that()
        .resideInAPackage(MACHINES)
        .should()
        .dependOnClassesThat(WORLD)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void shouldReachNeitherThreadsNorTheLoopFromAPath() {
    DescribedPredicate<JavaClass> beyond =
        WORLD.or(resideInAnyPackage("io.millrace.loop..", "org.apache.pekko.."));
    assertEquals(new TreeSet<>(), pathTypes(type -> reaches(type, beyond)));
    assertEquals(LARGE, pathTypes(type -> fieldsOf(type) > MOST_FIELDS));
  }

  private static SortedSet<String> pathTypes(Predicate<JavaClass> which) {
    return CLASSES.stream()
        .filter(resideInAPackage(PATH))
        .filter(which)
        .map(type -> type.getName().substring(PATH_PREFIX))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean reaches(JavaClass type, DescribedPredicate<JavaClass> beyond) {
    return type.getDirectDependenciesFromSelf().stream()
        .anyMatch(dependency -> beyond.test(dependency.getTargetClass()));
  }

  private static long fieldsOf(JavaClass type) {
    return type.getFields().stream().filter(MachineRulesTest::isPerInstance).count();
  }

  @Test
  void shouldCallNothingUnrepeatableFromAMachine() {
    noClasses()
        .that()
        .resideInAnyPackage(MACHINES, PATH)
        .should()
        .accessTargetWhere(isOneOf(UNREPEATABLE).or(isUnseededRandom()))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void shouldNotDependOnHashOrderInTheEngine() {
    noClasses()
        .that()
        .resideInAnyPackage(
            MACHINES,
            PATH,
            "io.millrace.actor..",
            "io.millrace.body..",
            "io.millrace.ends..",
            "io.millrace.engine..",
            "io.millrace.loop..",
            "io.millrace.nic..",
            "io.millrace.worker..")
        .should()
        .accessTargetWhere(isOneOf(UNORDERED))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void shouldKeepMachinesSmall() {
    classes()
        .that()
        .resideInAPackage(MACHINES)
        .should(haveFewFields())
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  private static DescribedPredicate<JavaAccess<?>> isOneOf(Map<String, Set<String>> methods) {
    return DescribedPredicate.describe(
        "the target is one of " + methods,
        access ->
            methods
                .getOrDefault(access.getTargetOwner().getName(), Set.of())
                .contains(access.getTarget().getName()));
  }

  private static DescribedPredicate<JavaAccess<?>> isUnseededRandom() {
    List<String> generators = List.of("java.util.Random", "java.util.SplittableRandom");
    return DescribedPredicate.describe(
        "the target makes a generator without a seed",
        access ->
            generators.contains(access.getTargetOwner().getName())
                && access.getTarget().getFullName().endsWith(".<init>()"));
  }

  private static ArchCondition<JavaClass> haveFewFields() {
    return new ArchCondition<>("have at most " + MOST_FIELDS + " fields") {
      @Override
      public void check(JavaClass machine, ConditionEvents events) {
        long fields = fieldsOf(machine);
        if (fields > MOST_FIELDS) {
          String complaint = machine.getName() + " has " + fields + " fields";
          events.add(SimpleConditionEvent.violated(machine, complaint));
        }
      }
    };
  }

  private static boolean isPerInstance(JavaField field) {
    return !field.getModifiers().contains(JavaModifier.STATIC);
  }
}
