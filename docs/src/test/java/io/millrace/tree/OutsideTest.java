package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The versions, flags and snippets for applications outside of the tree fit the tree. */
final class OutsideTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final String BUILD = text("pom.xml");
  private static final String BOM = text("transport-streams-api/bom/pom.xml");
  private static final String QUICKSTART = text("sample-apps/quickstart/pom.xml");
  private static final Set<String> NO_LIBRARIES =
      Set.of(
          "testkit/scenarios",
          "sample-apps/samples",
          "sample-apps/cli",
          "sample-apps/bench",
          "docs",
          "transport-streams-api/bom");

  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
  private static final Pattern MANAGED =
      Pattern.compile("<groupId>([\\w.-]+)</groupId><artifactId>(.*?)</artifactId><version>(.*?)<");
  private static final Pattern PLUGIN =
      Pattern.compile("<artifactId>(\\S+-plugin)</artifactId><version>(.*?)</version>");
  private static final Pattern XML_BLOCK = Pattern.compile("(?ms)^```xml\n(.*?)^```$");

  @Test
  void shouldManageEveryLibrary() {
    Set<String> libraries =
        MODULE
            .matcher(BUILD)
            .results()
            .map(module -> module.group(1))
            .filter(module -> !NO_LIBRARIES.contains(module))
            .map(module -> artifact(text(module + "/pom.xml")))
            .collect(Collectors.toSet());
    Set<String> managed =
        managed(BOM).stream()
            .filter(line -> line.group(1).equals("io.millrace"))
            .peek(line -> assertEquals("${project.version}", line.group(3)))
            .map(line -> line.group(2))
            .collect(Collectors.toSet());
    assertEquals(libraries, managed);
    assertEquals(version(BUILD), version(BOM));
  }

  @Test
  void shouldManageTheVersionsOfTheBuild() {
    List<MatchResult> others =
        managed(BOM).stream().filter(line -> !line.group(1).equals("io.millrace")).toList();
    assertFalse(others.isEmpty());
    for (MatchResult line : others) {
      Set<String> here =
          managed(BUILD).stream()
              .filter(known -> known.group(1).equals(line.group(1)))
              .map(known -> property(known.group(3).replaceAll("[${}]", "")))
              .collect(Collectors.toSet());
      assertEquals(Set.of(line.group(3)), here, line.group(2));
    }
  }

  @Test
  void shouldBuildTheQuickstartWithThePluginsOfTheBuild() {
    List<MatchResult> plugins = PLUGIN.matcher(QUICKSTART).results().toList();
    assertTrue(plugins.size() > 4, "the quickstart names its plugins");
    for (MatchResult plugin : plugins) {
      String name = plugin.group(1).replaceFirst("maven-", "");
      assertEquals(property(name + ".version"), plugin.group(2), plugin.group(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/tutorial.md", "docs/simulation.md"})
  void shouldShowWhatTheQuickstartDoes(String document) {
    Set<String> lines = QUICKSTART.lines().map(String::strip).collect(Collectors.toSet());
    List<String> shown =
        XML_BLOCK
            .matcher(text(document))
            .results()
            .flatMap(block -> block.group(1).lines().map(String::strip))
            .toList();
    assertFalse(shown.isEmpty());
    assertEquals(List.of(), shown.stream().filter(line -> !lines.contains(line)).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pom.xml", "bin/millrace"})
  void shouldRunWithTheFlagsThatItNames(String starter) {
    List<String> flags =
        text("transport-actors/src/main/resources/millrace.args")
            .lines()
            .filter(line -> line.startsWith("--"))
            .toList();
    assertEquals(2, flags.size());
    assertEquals(List.of(), flags.stream().filter(flag -> !text(starter).contains(flag)).toList());
  }

  private static List<MatchResult> managed(String pom) {
    return MANAGED.matcher(pom).results().toList();
  }

  private static String version(String pom) {
    return first(pom, "<version>(.*?)</version>");
  }

  /** Returns the name of a module's artifact; the first name in its pom is the parent's. */
  private static String artifact(String pom) {
    return first(pom, "(?s)</parent>.*?<artifactId>(.*?)</");
  }

  private static String property(String name) {
    return first(BUILD, "<" + Pattern.quote(name) + ">(.*?)</");
  }

  private static String first(String pom, String pattern) {
    return Pattern.compile(pattern)
        .matcher(pom)
        .results()
        .findFirst()
        .map(found -> found.group(1))
        .orElseThrow(() -> new AssertionError("nothing like " + pattern));
  }

  private static String text(String path) {
    return TREE.file(path).orElseThrow().text();
  }
}
