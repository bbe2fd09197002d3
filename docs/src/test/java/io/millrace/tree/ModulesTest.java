package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests compile and run on the class path. This test compares the module descriptors with the
 * classes, so that the module path works, too.
 */
final class ModulesTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final List<Descriptor> MODULES = Descriptor.all(TREE);
  private static final String SOURCES = "/src/main/java/";
  private static final String SERVICES = "/src/main/resources/META-INF/services/";

  /** Artifacts that export all packages but internal packages. */
  private static final Set<String> OPEN = Set.of("transport-streams-api", "testkit");

  private static final String GENERATED = "io.millrace.wire.codec";
  private static final Pattern COMPARED = Pattern.compile("<include>(io[\\w.*]+)</include>");

  /** The artifact with the sources of each package. */
  private static final Map<String, String> ARTIFACTS = artifacts();

  @Test
  void shouldDescribeEachArtifactForApplications() {
    Set<String> described = MODULES.stream().map(Descriptor::artifact).collect(Collectors.toSet());
    assertTrue(
        described.containsAll(
            Set.of(
                "transport-actors",
                "transport-streams-api",
                "udp-driver",
                "efa-driver",
                "testkit")),
        described::toString);
  }

  @Test
  void shouldHaveEachPackageInOneArtifact() {
    Map<String, Set<String>> split = new TreeMap<>();
    for (SourceFile file : TREE.javaFiles()) {
      int at = file.path().indexOf(SOURCES);
      if (at > 0) {
        String name = packageOf(file.path().substring(at + SOURCES.length()));
        split.computeIfAbsent(name, _ -> new TreeSet<>()).add(file.path().substring(0, at));
      }
    }
    split.values().removeIf(artifacts -> artifacts.size() == 1);
    assertEquals(Map.of(), split);
  }

  @Test
  void shouldExportAllOfTheApiAndNothingInternal() {
    for (Descriptor module : MODULES) {
      Set<String> visible = new TreeSet<>(module.open());
      assertTrue(visible.stream().noneMatch(ModulesTest::isInternal), visible::toString);
      if (OPEN.contains(module.artifact())) {
        assertEquals(packages(module.artifact()), visible, module.module());
      }
    }
  }

  private static Set<String> packages(String artifact) {
    return ARTIFACTS.entrySet().stream()
        .filter(each -> each.getValue().equals(artifact) && !isInternal(each.getKey()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void shouldLetModulesUseThePackagesThatTheirClassesName() {
    Map<String, Descriptor> byArtifact =
        MODULES.stream().collect(Collectors.toMap(Descriptor::artifact, each -> each));
    Set<String> refused = new TreeSet<>();
    for (JavaClass type : ArchitectureTest.CLASSES) {
      Descriptor user = byArtifact.get(artifactOf(type));
      if (user == null) {
        continue;
      }
      for (Dependency use : type.getDirectDependenciesFromSelf()) {
        JavaClass used = use.getTargetClass().getBaseComponentType();
        Descriptor owner = byArtifact.get(artifactOf(used));
        if (owner != null
            && !owner.equals(user)
            && !owner.lets(user.module(), used.getPackageName())) {
          refused.add(
              owner.module() + " exports " + used.getPackageName() + " to " + user.module());
        }
      }
    }
    assertEquals(Set.of(), refused, "missing in the descriptors");
  }

  private static String artifactOf(JavaClass type) {
    return ARTIFACTS.getOrDefault(type.getPackageName(), "");
  }

  @Test
  void shouldShowTheDescriptorOfTheExample() {
    String example =
        TREE.file("transport-streams-api/src/test/modular/module-info.java").orElseThrow().text();
    String page = TREE.file("docs/modules.md").orElseThrow().text();
    assertTrue(page.contains("```java\n" + example + "```"), example);
  }

  @Test
  void shouldProvideTheServicesOfTheClassPath() {
    for (Descriptor module : MODULES) {
      Map<String, List<String>> listed = new TreeMap<>();
      for (SourceFile file : TREE.files()) {
        if (file.path().startsWith(module.artifact() + SERVICES)) {
          listed.put(file.name(), file.text().lines().toList());
        }
      }
      assertEquals(listed, module.provides(), module.module());
    }
  }

  @Test
  void shouldCompareEachExportedPackageWithTheLastRelease() {
    List<String> compared =
        COMPARED
            .matcher(TREE.file("pom.xml").orElseThrow().text())
            .results()
            .map(found -> found.group(1))
            .toList();
    List<String> missing =
        MODULES.stream()
            .flatMap(module -> module.open().stream())
            .filter(name -> compared.stream().noneMatch(entry -> covers(entry, name)))
            .toList();
    assertEquals(List.of(), missing, "packages without an <include> in the profile compatibility");
  }

  private static boolean covers(String entry, String name) {
    return entry.endsWith(".*")
        ? (name + ".").startsWith(entry.substring(0, entry.length() - 1))
        : entry.equals(name);
  }

  private static boolean isInternal(String name) {
    return name.endsWith(".internal") || name.contains(".internal.");
  }

  private static Map<String, String> artifacts() {
    Map<String, String> found = new TreeMap<>();
    for (SourceFile file : TREE.javaFiles()) {
      int at = file.path().indexOf(SOURCES);
      if (at > 0) {
        found.put(
            packageOf(file.path().substring(at + SOURCES.length())), file.path().substring(0, at));
      }
    }
    found.put(GENERATED, "transport-actors");
    return found;
  }

  private static String packageOf(String file) {
    return file.substring(0, file.lastIndexOf('/')).replace('/', '.');
  }
}
