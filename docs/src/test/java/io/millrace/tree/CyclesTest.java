package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Dependencies run one way: no cycle between packages, only small cycles between the types of a
 * package, and no package of too many files. A nested type counts as its outermost type.
 */
final class CyclesTest {
  private static final List<String> ROOTS =
      List.of(
          "io.millrace.access",
          "io.millrace.actor",
          "io.millrace.api",
          "io.millrace.body",
          "io.millrace.ends",
          "io.millrace.engine",
          "io.millrace.loop",
          "io.millrace.nic",
          "io.millrace.path",
          "io.millrace.protocol",
          "io.millrace.samples",
          "io.millrace.testkit",
          "io.millrace.worker");

  /**
   * A sealed family or a builder is a cycle by nature; a cycle of more types than this is a fault.
   */
  private static final int MOST_TYPES_IN_CYCLE = 6;

  private static final int MOST_FILES = 40;

  /** Smaller counts than these mean that the checks looked at nothing. */
  private static final int FEWEST_PACKAGES = 25;

  private static final int FEWEST_TYPES = 500;

  /**
   * Packages whose largest cycle is still too large, and its present size. The size is exact: when
   * a cycle shrinks, its entry shrinks or goes.
   */
  private static final Map<String, Integer> STILL_TOO_LARGE =
      Map.of(
          // The environment of a process starts pools, and a pool asks its environment for all
          // other parts.
          "io.millrace.engine", 8,
          // A call and the lists of a path that hold the call know each other.
          "io.millrace.path.call", 8);

  /**
   * Packages of too many files, with their allowed numbers; an entry goes when it is not needed.
   */
  private static final Map<String, Integer> STILL_TOO_MANY_FILES =
      Map.of(
          "io.millrace.api", 56,
          "io.millrace.samples.cli", 85,
          "io.millrace.samples.sim", 41,
          "io.millrace.testkit.internal.oracle", 46);

  /** Types of the roots, each with the types of the roots that it names. */
  private static final SortedMap<String, SortedSet<String>> TYPES = types();

  @Test
  void shouldHaveNoCycleBetweenPackages() {
    assertEquals(List.of(), packageCycles(TYPES));
  }

  @Test
  void shouldHaveOnlySmallCyclesInsidePackage() {
    assertEquals(List.of(), typeCycles(TYPES, STILL_TOO_LARGE));
  }

  @Test
  void shouldLimitFilesOfPackage() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    mainFiles().forEach((name, files) -> counts.put(name, files.size()));
    assertTrue(counts.size() >= FEWEST_PACKAGES, () -> "saw only " + counts.keySet());
    assertEquals(List.of(), tooManyFiles(counts, STILL_TOO_MANY_FILES));
  }

  @Test
  void shouldSeeTheWholeEngine() {
    assertEquals(
        List.of(),
        ROOTS.stream()
            .filter(root -> TYPES.keySet().stream().noneMatch(type -> isIn(root, type)))
            .toList());
    int packages = byPackage(TYPES).size();
    assertTrue(packages >= FEWEST_PACKAGES, () -> "saw only " + packages + " packages");
    assertTrue(TYPES.size() >= FEWEST_TYPES, () -> "saw only " + TYPES.size() + " types");
    int edges = TYPES.values().stream().mapToInt(Set::size).sum();
    assertTrue(edges >= 2 * FEWEST_TYPES, () -> "saw only " + edges + " dependencies");
  }

  @Test
  void shouldNamePackagesOfCycle() {
    Map<String, Set<String>> planted =
        Map.of("p.a.A", Set.of("p.b.B"), "p.b.B", Set.of("p.c.C"), "p.c.C", Set.of("p.a.Z"));
    List<String> findings = packageCycles(planted);
    assertEquals(1, findings.size(), findings::toString);
    assertTrue(findings.getFirst().startsWith("cycle between [p.a, p.b, p.c]"), findings::toString);
    assertTrue(findings.getFirst().contains("A -> p.b.B"), findings::toString);
  }

  @Test
  void shouldNameTypesOfCycleThatIsTooLarge() {
    assertEquals(List.of(), typeCycles(ring(MOST_TYPES_IN_CYCLE), Map.of()));
    List<String> findings = typeCycles(ring(MOST_TYPES_IN_CYCLE + 1), Map.of());
    assertEquals(
        List.of("p: 7 types in a cycle, the limit is 6: [T0, T1, T2, T3, T4, T5, T6]"), findings);
  }

  @Test
  void shouldTellOfExceptionThatNoCycleHasAnyMore() {
    assertEquals(List.of(), typeCycles(ring(12), Map.of("p", 12)));
    assertEquals(
        List.of("p: the exception says 12 types in a cycle, there are 10"),
        typeCycles(ring(10), Map.of("p", 12)));
    assertEquals(
        List.of("p: the exception says 12 types in a cycle, there are 8"),
        typeCycles(ring(8), Map.of("p", 12)));
    assertEquals(
        List.of("q: the exception says 9 types in a cycle, there are 0"),
        typeCycles(ring(6), Map.of("q", 9)));
  }

  @Test
  void shouldTellOfPackageOfTooManyFiles() {
    assertEquals(List.of(), tooManyFiles(Map.of("p", 40, "q", 50), Map.of("q", 50)));
    assertEquals(List.of("p: 41 files, the limit is 40"), tooManyFiles(Map.of("p", 41), Map.of()));
    assertEquals(
        List.of("q: 51 files, the limit is 50"), tooManyFiles(Map.of("q", 51), Map.of("q", 50)));
    assertEquals(
        List.of("q: 40 files need no exception"), tooManyFiles(Map.of("q", 40), Map.of("q", 50)));
    assertEquals(List.of("q: 0 files need no exception"), tooManyFiles(Map.of(), Map.of("q", 50)));
  }

  private static Map<String, Set<String>> ring(int size) {
    return IntStream.range(0, size)
        .boxed()
        .collect(Collectors.toMap(i -> "p.T" + i, i -> Set.of("p.T" + (i + 1) % size)));
  }

  /** Prints a table of the packages; the class path has to hold the classes of all modules. */
  public static void main(String[] arguments) {
    SortedMap<String, SortedMap<String, SortedSet<String>>> packages = byPackage(TYPES);
    System.out.println("| package | files | code lines | largest file | types in largest cycle |");
    System.out.println("|---|---|---|---|---|");
    mainFiles()
        .forEach(
            (name, files) ->
                System.out.println(row(name, files, packages.getOrDefault(name, new TreeMap<>()))));
    packageCycles(TYPES).forEach(System.out::println);
    typeCycles(TYPES, Map.of()).forEach(System.out::println);
  }

  private static String row(
      String name, List<SourceFile> files, Map<String, ? extends Collection<String>> inside) {
    int all = 0;
    int most = -1;
    String largest = "";
    for (SourceFile file : files) {
      int lines = new JavaText(file.text()).codeLines();
      all += lines;
      if (lines > most) {
        most = lines;
        largest = file.name() + " " + lines;
      }
    }
    return "| %s | %d | %d | %s | %d |"
        .formatted(name, files.size(), all, largest, largestCycle(inside).size());
  }

  private static List<String> packageCycles(Map<String, ? extends Collection<String>> types) {
    SortedMap<String, SortedSet<String>> packages = new TreeMap<>();
    types.forEach(
        (from, targets) ->
            targets.forEach(
                to -> packages.computeIfAbsent(home(from), key -> new TreeSet<>()).add(home(to))));
    List<String> findings = new ArrayList<>();
    for (SortedSet<String> cycle : StrongComponents.of(packages)) {
      findings.add("cycle between " + cycle + ": " + crossings(types, cycle));
    }
    return findings;
  }

  /**
   * The types of these packages, each with the types that it names of another of these packages.
   */
  private static List<String> crossings(
      Map<String, ? extends Collection<String>> types, Set<String> packages) {
    List<String> crossings = new ArrayList<>();
    new TreeMap<>(types)
        .forEach(
            (from, targets) ->
                targets.stream()
                    .filter(to -> !home(from).equals(home(to)))
                    .filter(to -> packages.contains(home(from)) && packages.contains(home(to)))
                    .forEach(to -> crossings.add(from + " -> " + to)));
    return crossings;
  }

  private static List<String> typeCycles(
      Map<String, ? extends Collection<String>> types, Map<String, Integer> exceptions) {
    List<String> findings = new ArrayList<>();
    SortedMap<String, SortedMap<String, SortedSet<String>>> packages = byPackage(types);
    packages.forEach(
        (name, inside) -> {
          SortedSet<String> cycle = largestCycle(inside);
          if (cycle.size() > MOST_TYPES_IN_CYCLE && !exceptions.containsKey(name)) {
            String members = cycle.stream().map(CyclesTest::simpleName).toList().toString();
            findings.add(
                "%s: %d types in a cycle, the limit is %d: %s"
                    .formatted(name, cycle.size(), MOST_TYPES_IN_CYCLE, members));
          }
        });
    exceptions.forEach(
        (name, size) -> {
          int now = largestCycle(packages.getOrDefault(name, new TreeMap<>())).size();
          if (now != size) {
            findings.add(
                "%s: the exception says %d types in a cycle, there are %d"
                    .formatted(name, size, now));
          }
        });
    return findings;
  }

  private static List<String> tooManyFiles(
      Map<String, Integer> counts, Map<String, Integer> exceptions) {
    List<String> findings = new ArrayList<>();
    counts.forEach(
        (name, count) -> {
          int limit = exceptions.getOrDefault(name, MOST_FILES);
          if (count > limit) {
            findings.add(name + ": " + count + " files, the limit is " + limit);
          }
        });
    exceptions.keySet().stream()
        .filter(name -> counts.getOrDefault(name, 0) <= MOST_FILES)
        .forEach(
            name ->
                findings.add(
                    name + ": " + counts.getOrDefault(name, 0) + " files need no exception"));
    return findings;
  }

  private static SortedSet<String> largestCycle(Map<String, ? extends Collection<String>> inside) {
    List<SortedSet<String>> cycles = StrongComponents.of(inside);
    return cycles.isEmpty() ? new TreeSet<>() : cycles.getFirst();
  }

  /** The types of each package, with the types that they name of the same package. */
  private static SortedMap<String, SortedMap<String, SortedSet<String>>> byPackage(
      Map<String, ? extends Collection<String>> types) {
    SortedMap<String, SortedMap<String, SortedSet<String>>> packages = new TreeMap<>();
    types.forEach(
        (from, targets) ->
            packages
                .computeIfAbsent(home(from), name -> new TreeMap<>())
                .put(
                    from,
                    targets.stream()
                        .filter(to -> home(from).equals(home(to)))
                        .collect(Collectors.toCollection(TreeSet::new))));
    return packages;
  }

  private static SortedMap<String, SortedSet<String>> types() {
    SortedMap<String, SortedSet<String>> types = new TreeMap<>();
    for (JavaClass each : ArchitectureTest.CLASSES) {
      String from = outermost(each);
      if (isInRoot(from)) {
        types.computeIfAbsent(from, name -> new TreeSet<>()).addAll(targets(each));
      }
    }
    return types;
  }

  /** The types of the roots that a class names, without the class itself. */
  private static Set<String> targets(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> outermost(dependency.getTargetClass().getBaseComponentType()))
        .filter(to -> isInRoot(to) && !to.equals(outermost(type)))
        .collect(Collectors.toSet());
  }

  /** The Java files of main code by package, without package-info. */
  private static SortedMap<String, List<SourceFile>> mainFiles() {
    return SourceTree.current().javaFiles().stream()
        .filter(SourceFile::isMainJava)
        .filter(file -> !file.name().equals("package-info.java"))
        .collect(Collectors.groupingBy(CyclesTest::packageName, TreeMap::new, Collectors.toList()));
  }

  private static String packageName(SourceFile file) {
    String folder = file.folder();
    String inside = folder.substring(folder.indexOf("src/main/java/") + "src/main/java/".length());
    return inside.substring(0, Math.max(0, inside.length() - 1)).replace('/', '.');
  }

  private static String outermost(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static boolean isInRoot(String type) {
    return ROOTS.stream().anyMatch(root -> isIn(root, type));
  }

  private static boolean isIn(String root, String type) {
    return type.startsWith(root + ".");
  }

  private static String home(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  private static String simpleName(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
