package io.millrace.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.path.peer.TestCall;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call goes through the classes that the walks of {@code docs/architecture.md} name, in their
 * order: the JVM's recorder tells which methods two turns entered.
 */
class WalkedCodeTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final Pattern STEP = Pattern.compile("\\d+\\. `(\\w+)\\.(\\w+)`: .*");

  /** Into a path and out of it. */
  private static final int MOST_ENTRIES = 2;

  @TempDir private Path directory;

  /** A method that a walk names. */
  private record Step(String type, String method) {
    @Override
    public String toString() {
      return type + "." + method;
    }
  }

  /** Steps of the walk of this title whose classes belong to the engine and have code. */
  private static List<Step> walk(String title) throws Exception {
    Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", ".."));
    List<Step> steps = new ArrayList<>();
    boolean isIn = false;
    for (String line : Files.readAllLines(root.resolve("docs/architecture.md"))) {
      isIn = line.startsWith("#") ? line.equals("### " + title) : isIn;
      Matcher step = STEP.matcher(line);
      Optional<String> type = isIn && step.matches() ? type(root, step.group(1)) : Optional.empty();
      if (type.isPresent() && !Class.forName(type.get()).isInterface()) {
        steps.add(new Step(type.get(), step.group(2)));
      }
    }
    return steps;
  }

  /** The class of the engine that has this simple name. */
  private static Optional<String> type(Path root, String name) throws IOException {
    Path sources = root.resolve("transport-actors/src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.getFileName().toString().equals(name + ".java"))
          .map(file -> sources.relativize(file).toString().replace(".java", "").replace('/', '.'))
          .findFirst();
    }
  }

  /** The steps that {@code work} enters, in their order. */
  private List<Step> entered(Collection<Step> steps, Runnable work) throws IOException {
    Path file = directory.resolve("entered.jfr");
    try (Recording recording = new Recording()) {
      recording
          .enable("jdk.MethodTrace")
          .withoutThreshold()
          .with(
              "filter",
              steps.stream().map(s -> s.type() + "::" + s.method()).collect(Collectors.joining(";")));
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .map(event -> event.<RecordedMethod>getValue("method"))
        .map(method -> new Step(method.getType().getName(), method.getName()))
        .toList();
  }

  private static void assertWalked(List<Step> walk, List<Step> entered) {
    List<Step> first = entered.stream().distinct().filter(walk::contains).toList();
    assertEquals(walk, first);
    for (Step step : walk) {
      long times = entered.stream().filter(step::equals).count();
      assertTrue(times <= MOST_ENTRIES, () -> step + " is entered " + times + " times");
    }
  }

  @Test
  void shouldGoTheWayThatTheDocumentsSay() throws Exception {
    PathPair pair = new PathPair(1);
    pair.right.lab.routes.add(
        ECHO, call -> call.reply(new UnsafeBuffer(new byte[16]), 0, call.payloadLength()));
    TestCall call = new TestCall(pair.left.link, ECHO.id(), 16);

    assertWalked(
        walk("A call leaves"),
        entered(
            walk("A call leaves"),
            () -> {
              pair.left.lab.handle(pair.left.link).submit(call);
              pair.left.lab.turn();
            }));

    pair.right.lab.endpoint.arrivals.addAll(pair.left.lab.endpoint.sent);
    assertWalked(
        walk("A datagram arrives"),
        entered(walk("A datagram arrives"), pair.right.lab::turn));
  }
}
