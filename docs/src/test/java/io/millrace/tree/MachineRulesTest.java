package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.tree.ArchitectureTest.CLASSES;

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
import org.junit.jupiter.api.Test;

/**
 * What a machine may not do: read a clock, draw at random, start a thread, depend on hash order, or
 * grow.
 */
final class MachineRulesTest {
  private static final String MACHINES = "io.millrace.protocol..";
  private static final int MOST_FIELDS = 20;

  /** Methods whose answer differs from run to run, by the class that has them. */
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
        .dependOnClassesThat(
            resideInAnyPackage(
                    "java.net..",
                    "java.nio.channels..",
                    "java.util.concurrent..",
                    "java.util.logging..")
                .or(nameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup).*"))
                .or(
                    nameMatching(
                        "java\\.lang\\.(Thread|ThreadLocal|Runtime|Process.*|System\\$Logger)"))
                .or(nameMatching("java\\.time\\.(Clock|Instant|Local.*|Zoned.*|Offset.*)"))
                .or(nameMatching("java\\.util\\.(Timer|IdentityHashMap|WeakHashMap)"))
                .or(nameMatching("java\\.security\\.SecureRandom"))
                .or(nameMatching("org\\.agrona\\.concurrent\\.(.*Clock|Agent.*|.*IdleStrategy)")))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void shouldCallNothingUnrepeatableFromAMachine() {
    noClasses()
        .that()
        .resideInAPackage(MACHINES)
        .should()
        .accessTargetWhere(isOneOf(UNREPEATABLE).or(isUnseededRandom()))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void shouldNotDependOnHashOrderInTheEngine() {
    noClasses()
        .that()
        .resideInAnyPackage(MACHINES, "io.millrace.actor..")
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
        long fields = machine.getFields().stream().filter(MachineRulesTest::isPerInstance).count();
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
