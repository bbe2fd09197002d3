package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The part of the testkit that an application's tests see: these types, with nothing internal. */
final class TestkitSurfaceTest {
  private static final String TESTKIT = "io.millrace.testkit";
  private static final String INTERNAL = "io.millrace.testkit.internal.";

  /**
   * All types for users; a new type should be worth learning, and docs/simulation.md describes it.
   */
  private static final Map<String, Set<String>> USERS =
      Map.of(
          "io.millrace.testkit", Set.of("CallSiteScan", "Repetitions"),
          "io.millrace.testkit.cluster",
              Set.of(
                  "Cluster",
                  "ClusterException",
                  "ClusterNode",
                  "ClusterTest",
                  "NodeHandle",
                  "NodeProgram"),
          "io.millrace.testkit.driver", Set.of("DriverTck", "DriverUnderTest", "NeedsDriver"),
          "io.millrace.testkit.path",
              Set.of("PairCall", "PairDatagram", "PairSide", "PairStream", "PathPair"),
          "io.millrace.testkit.sim",
              Set.of(
                  "DamageSettings",
                  "DelaySettings",
                  "Draws",
                  "FabricSettings",
                  "FaultSchedule",
                  "Faults",
                  "FrameMatch",
                  "FrameType",
                  "History",
                  "LinkSettings",
                  "LossSettings",
                  "NetworkSettings",
                  "NicSettings",
                  "NicState",
                  "NodeSettings",
                  "Oracle",
                  "Outcome",
                  "PolicerSettings",
                  "Program",
                  "RateSettings",
                  "RetrySettings",
                  "SimCluster",
                  "SimNode",
                  "SimRun",
                  "StepOracle",
                  "Swarm",
                  "VirtualTime"),
          "io.millrace.testkit.sim.junit", Set.of("SimulationTest"));

  /** The same types with the package-private types that visible types inherit from. */
  private static List<JavaClass> inherited() {
    return users().stream()
        .flatMap(
            type ->
                Stream.concat(
                    Stream.of(type),
                    Stream.concat(
                        type.getAllRawSuperclasses().stream(),
                        type.getAllRawInterfaces().stream())))
        .filter(type -> type.getName().startsWith(TESTKIT))
        .distinct()
        .toList();
  }

  private static List<JavaClass> users() {
    return Surface.visible(TESTKIT).stream()
        .filter(type -> !type.getName().startsWith(INTERNAL))
        .toList();
  }

  /** Sorts the packages and their types, so that a reader easily sees a difference. */
  private static SortedMap<String, SortedSet<String>> sorted(Map<String, Set<String>> types) {
    SortedMap<String, SortedSet<String>> sorted = new TreeMap<>();
    types.forEach((name, of) -> sorted.put(name, new TreeSet<>(of)));
    return sorted;
  }

  @Test
  void shouldShowUsersTheseTypes() {
    Map<String, Set<String>> found =
        users().stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(
                Collectors.groupingBy(
                    JavaClass::getPackageName,
                    Collectors.mapping(JavaClass::getSimpleName, Collectors.toSet())));
    assertEquals(sorted(USERS), sorted(found));
  }

  @Test
  void shouldNameNothingInternalInWhatUsersSee() {
    assertEquals(Set.of(), Surface.named(inherited(), List.of(INTERNAL)));
  }

  /**
   * The package {@code sim}, on which all else is built, knows no internal package but {@code
   * base}.
   */
  @Test
  void shouldKeepSimulationsForUsersFreeOfTheSimulator() {
    noClasses()
        .that()
        .resideInAPackage("io.millrace.testkit.sim")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.millrace.testkit.internal..")
                .and(resideInAPackage("io.millrace.testkit.internal.base").negate()))
        .check(ArchitectureTest.CLASSES);
  }
}
