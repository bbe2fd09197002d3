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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The catalogue of events is what the transport emits, what tests see and what the page says. */
final class EventCatalogueTest {
  private static final SourceTree TREE = SourceTree.current();
  private static final String EVENTS = "transport-actors/src/main/events/";
  private static final String DOCUMENT = "docs/events.md";

  /**
   * A machine with several memory nodes, and a fault of the system's socket: no test has either.
   */
  private static final Set<EventKind> UNSEEN =
      EnumSet.of(EventKind.MEMORY_PLACED, EventKind.HANDSHAKE_FAULT);

  @TempDir private Path directory;

  @Test
  void shouldBeThePage() throws IOException, InterruptedException {
    Path made = directory.resolve("events.md");
    Process generator =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
    assertEquals(
        List.of(),
        missing(
            file ->
                file.path().contains("/src/main/")
                    && !file.path()
                        .matches(".*/(telemetry/.*|EventSubscribers.java|ReducedModes.java)"),
            EventCatalogueTest::emission));
  }

  @Test
  void shouldBeSeenByATestEach() {
    assertEquals(
        UNSEEN.stream().map(EventKind::title).toList(),
        missing(
            file ->
                file.path().contains("/src/test/")
                    && !file.path().matches(".*/millrace/(event|tree)/.*"),
            kind ->
                Pattern.compile(
                    "\\bon%1$s\\(|\"%1$s\\b|EventKind.%2$s\\b"
                        .formatted(kind.title(), kind.name()))));
  }

  private static List<String> missing(
      Predicate<SourceFile> files, Function<EventKind, Pattern> trace) {
    List<String> texts =
        TREE.files().stream()
            .filter(file -> file.path().endsWith(".java"))
            .filter(files)
            .map(SourceFile::text)
            .toList();
    return Arrays.stream(EventKind.values())
        .filter(kind -> texts.stream().noneMatch(text -> trace.apply(kind).matcher(text).find()))
        .map(EventKind::title)
        .toList();
  }

  private static Pattern emission(EventKind kind) {
    String title = kind.title();
    String name =
        kind.level() == EventKind.Level.DATA
            ? title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1)
            : "on" + title;
    return Pattern.compile("(\\.|::)" + name + "\\b");
  }
}
