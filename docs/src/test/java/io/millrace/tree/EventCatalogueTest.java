package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.event.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The catalogue of events agrees with the events that the transport emits, tests see and the page
 * lists.
 */
final class EventCatalogueTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final String EVENTS = "transport-actors/src/main/events/";
  private static final String DOCUMENT = "docs/events.md";

  /**
   * Events of a machine with several memory nodes, and of a faulty system socket: no test has
   * either.
   */
  private static final Set<EventKind> UNSEEN =
      EnumSet.of(EventKind.MEMORY_PLACED, EventKind.HANDSHAKE_FAULT);

  /** A word after a point or two colons: a method that is called or referred to, among others. */
  private static final Pattern CALLED = Pattern.compile("(?<=\\.|::)\\w+");

  /** How a test names an event: as a method of a listener, as a text or as its kind. */
  private static final Pattern NAMED = Pattern.compile("\\bon\\w+\\(|\"\\w+|EventKind\\.\\w+");

  @TempDir private Path directory;

  @Test
  void shouldBeThePage() throws IOException, InterruptedException {
    Path made = directory.resolve("events.md");
    Process generator =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                TREE.root().resolve(EVENTS + "EventGenerator.java").toString(),
                TREE.root().resolve(EVENTS + "catalogue.xml").toString(),
                "document",
                made.toString())
            .inheritIO()
            .start();
    assertEquals(0, generator.waitFor());
    assertEquals(
        Files.readString(made), TREE.file(DOCUMENT).orElseThrow().text(), "regenerate the page");
  }

  @Test
  void shouldBeEmittedEach() {
    Set<String> called =
        words(
            CALLED,
            file ->
                file.path().contains("/src/main/")
                    && !file.path()
                        .matches(".*/(telemetry/.*|EventSubscribers.java|ReducedModes.java)"));
    assertEquals(List.of(), missing(kind -> called.contains(emission(kind))));
  }

  @Test
  void shouldBeSeenByATestEach() {
    Set<String> named =
        words(
            NAMED,
            file ->
                file.path().contains("/src/test/")
                    && !file.path().matches(".*/millrace/(event|tree)/.*"));
    assertEquals(
        UNSEEN.stream().map(EventKind::title).toList(),
        missing(
            kind ->
                named.contains("on" + kind.title() + "(")
                    || named.contains("\"" + kind.title())
                    || named.contains("EventKind." + kind.name())));
  }

  /** Each hit of the pattern in these Java files; one pass over each file serves every event. */
  private static Set<String> words(Pattern pattern, Predicate<SourceFile> files) {
    return TREE.javaFiles().stream()
        .filter(files)
        .flatMap(file -> pattern.matcher(file.text()).results())
        .map(MatchResult::group)
        .collect(Collectors.toSet());
  }

  private static List<String> missing(Predicate<EventKind> isThere) {
    return Arrays.stream(EventKind.values())
        .filter(isThere.negate())
        .map(EventKind::title)
        .toList();
  }

  private static String emission(EventKind kind) {
    String title = kind.title();
    return kind.level() == EventKind.Level.DATA
        ? title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1)
        : "on" + title;
  }
}
