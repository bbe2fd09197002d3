package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tree obeys the rules of {@link TidyRules}, {@link SyntaxRules} and {@link LinkRules}. */
final class TidyTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final Map<String, SyntaxRules.Findings> SYNTAX =
      SyntaxRules.check(TREE.javaFiles());

  @Test
  void shouldLookAtTheWholeTree() {
    assertTrue(TREE.file("pom.xml").isPresent());
    assertTrue(TREE.javaFiles().stream().anyMatch(SourceFile::isMainJava));
    assertTrue(TREE.javaFiles().stream().anyMatch(SourceFile::isTestJava));
  }

  @Test
  void shouldHoldNoUnfinishedOrIdleComment() {
    assertNothingFound(TidyRules::idleComments);
  }

  @Test
  void shouldNotSleep() {
    assertNothingFound(TidyRules::sleeps);
  }

  @Test
  void shouldExplainEverySuppression() {
    assertNothingFound(TidyRules::unexplainedSuppressions);
  }

  @Test
  void shouldNameNoMachine() {
    assertNothingFound(TidyRules::machinePaths);
  }

  @Test
  void shouldNameNoRegistry() {
    assertNothingFound(TidyRules::registries);
  }

  @Test
  void shouldKeepFilesShort() {
    assertNothingFound(TidyRules::longFiles);
  }

  @Test
  void shouldKeepMethodsFlat() {
    assertNothingFoundInSyntax(SyntaxRules.Findings::nesting);
  }

  @Test
  void shouldGiveNamesThatSaySomething() {
    assertNothingFoundInSyntax(SyntaxRules.Findings::names);
  }

  @Test
  void shouldDeclareEveryPackage() {
    assertNothingFound(TidyRules::packages);
    Set<String> declared =
        TREE.javaFiles().stream()
            .filter(file -> file.name().equals("package-info.java"))
            .map(SourceFile::folder)
            .collect(Collectors.toSet());
    List<String> undeclared =
        TREE.javaFiles().stream()
            .filter(SourceFile::isMainJava)
            .map(SourceFile::folder)
            .distinct()
            .filter(folder -> !declared.contains(folder))
            .toList();
    assertEquals(List.of(), undeclared, "packages without package-info.java");
  }

  @Test
  void shouldLinkOnlyToWhatIsThere() {
    LinkRules links =
        new LinkRules(
            path -> Files.exists(TREE.root().resolve(path)),
            path -> TREE.file(path).map(SourceFile::text));
    assertNothingFound(links::deadLinks);
  }

  private static void assertNothingFound(Function<SourceFile, List<String>> rule) {
    List<String> findings =
        TREE.files().stream().flatMap(file -> rule.apply(file).stream()).toList();
    assertEquals("", String.join("\n", findings));
  }

  private static void assertNothingFoundInSyntax(
      Function<SyntaxRules.Findings, List<String>> rule) {
    assertEquals(TREE.javaFiles().size(), SYNTAX.size(), "files that were parsed");
    List<String> findings =
        SYNTAX.values().stream().flatMap(found -> rule.apply(found).stream()).sorted().toList();
    assertEquals("", String.join("\n", findings));
  }
}
