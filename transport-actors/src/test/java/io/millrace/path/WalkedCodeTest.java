package io.millrace.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementOutlet;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.TestCall;
import io.millrace.path.stream.StreamCall;
import io.millrace.path.stream.StreamOffer;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A call goes through the classes that the walks of {@code docs/architecture.md} name, in their
 * order: the JVM's recorder shows the methods that two turns entered.
 */
class WalkedCodeTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final Pattern STEP = Pattern.compile("(\\d+)\\. `([\\w.]+)\\.(\\w+)`: .*");

  /** An entry into a path and an entry out of the path. */
  private static final int MOST_ENTRIES = 2;

  /** By then all bytes within the window have arrived. */
  private static final int STEPS = 500;

  /** Each walk has more steps in the engine. */
  private static final int FEWEST_STEPS = 7;

  /** More than a frame holds. */
  private static final int BODY = 40_000;

  @TempDir private Path directory;

  /** A method named in a walk. */
  private record Step(String type, String method) {
    @Override
    public String toString() {
      return type + "." + method;
    }
  }

  /** The walks below this title: their steps whose classes belong to the engine and have code. */
  private static List<List<Step>> walks(String title) throws Exception {
    Path root = Path.of(System.getProperty("maven.multiModuleProjectDirectory", ".."));
    List<List<Step>> walks = new ArrayList<>();
    boolean isIn = false;
    for (String line : Files.readAllLines(root.resolve("docs/architecture.md"))) {
      isIn = line.startsWith("#") ? line.equals("### " + title) : isIn;
      Matcher step = STEP.matcher(line);
      if (isIn && step.matches()) {
        if (step.group(1).equals("1")) {
          walks.add(new ArrayList<>());
        }
        Optional<String> type = type(root, step.group(2));
        if (type.isPresent() && !Class.forName(type.get()).isInterface()) {
          walks.getLast().add(new Step(type.get(), step.group(3)));
        }
      }
    }
    int steps = walks.stream().mapToInt(List::size).sum();
    assertTrue(steps >= FEWEST_STEPS, () -> title + " has " + steps + " steps here");
    return walks;
  }

  /** The class of the engine with this simple name. */
  private static Optional<String> type(Path root, String name) throws IOException {
    Path sources = root.resolve("transport-actors/src/main/java");
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .filter(file -> file.getFileName().toString().equals(name + ".java"))
          .map(file -> sources.relativize(file).toString().replace(".java", "").replace('/', '.'))
          .findFirst();
    }
  }

  /** The steps that {@code work} enters, in the order of entry. */
  private List<Step> entered(Collection<Step> steps, Runnable work) throws IOException {
    Path file = directory.resolve("entered.jfr");
    try (Recording recording = new Recording()) {
      recording
          .enable("jdk.MethodTrace")
          .withoutThreshold()
          .with(
              "filter",
              steps.stream()
                  .map(s -> s.type() + "::" + s.method())
                  .collect(Collectors.joining(";")));
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        // Of two calls that began in one tick the outer one takes longer.
        .sorted(
            Comparator.comparing(RecordedEvent::getStartTime)
                .thenComparing(RecordedEvent::getDuration, Comparator.reverseOrder()))
        .map(event -> event.<RecordedMethod>getValue("method"))
        .map(method -> new Step(method.getType().getName(), method.getName()))
        .toList();
  }

  /** {@code work} enters these steps in their order, and the steps of the path not too often. */
  private void assertWalks(List<Step> walk, Runnable work) throws IOException {
    List<Step> entered = entered(walk, work);
    assertEquals(walk, entered.stream().distinct().toList());
    for (Step step : walk) {
      long times = entered.stream().filter(step::equals).count();
      boolean isOfPath = step.type().startsWith("io.millrace.path");
      assertTrue(
          !isOfPath || times <= MOST_ENTRIES, () -> step + " is entered " + times + " times");
    }
  }

  /** Takes the side to the time at which the datagrams in flight arrive. */
  private static void arrive(PathPair pair, PathPair.Side to) {
    to.lab.nowNs += pair.network.latencyNs;
  }

  @Test
  void shouldCallAsTheDocumentsSay() throws Exception {
    PathPair pair = new PathPair(1);
    pair.right.lab.routes.add(
        ECHO, call -> call.reply(new SegmentBuffer(new byte[16]), 0, call.payloadLength()));
    TestCall call = new TestCall(pair.left.link, ECHO.id(), 16);

    assertWalks(
        walks("A call leaves").getFirst(),
        () -> {
          pair.left.lab.handle(pair.left.link).submit(call);
          pair.left.lab.turn();
        });
    arrive(pair, pair.right);
    assertWalks(walks("A datagram arrives").getFirst(), pair.right.lab::turn);
  }

  @Test
  void shouldTellOfDemandAsTheDocumentsSay() throws Exception {
    PathPair pair = new PathPair(1);
    List<StreamOffer> offers = new ArrayList<>();
    pair.right.lab.routes.add(ECHO, StreamPattern.BIDIRECTIONAL, offers::add);
    StreamCall stream =
        new StreamCall(
            pair.left.link,
            pair.left.lab.handle(pair.left.link).port(),
            StreamPattern.BIDIRECTIONAL,
            new StreamCall.Opening(ECHO.id(), 3, new byte[0], new byte[0]),
            pair.left.lab.services.context().settings());
    pair.left.lab.handle(pair.left.link).submit(stream);
    ElementOutlet outlet = stream.ends().outlet();
    for (int i = 0; i < STEPS; i++) {
      if (outlet.hasRoom()) {
        outlet.offer(new byte[8]);
      }
      pair.step();
    }
    ElementInlet inlet = offers.getFirst().stream().inlet();

    List<List<Step>> walks = walks("Demand travels");
    assertWalks(
        walks.getFirst(),
        () -> {
          long sent = pair.network.sent();
          while (pair.network.sent() == sent && inlet.poll() != null) {
            pair.right.lab.turn();
          }
        });
    arrive(pair, pair.left);
    assertWalks(walks.getLast(), pair.left.lab::turn);
  }

  /** The walks follow each other, so that the recorder needs no pause. */
  @Test
  void shouldWriteABodyAsTheDocumentsSay() throws Exception {
    PathPair pair = new PathPair(1);
    pair.right.lab.routes.add(
        ECHO,
        (caller, priority, headers, bytes) ->
            CompletableFuture.<BodyTarget>completedStage(new Sink()));
    for (int i = 0; i < STEPS; i++) {
      pair.step();
    }
    TestCall call =
        new TestCall(
            pair.left.link, ECHO.id(), 3, new byte[0], new ArraySource(new byte[BODY], 0, BODY));
    List<Step> steps = walks("A body is written").stream().flatMap(List::stream).toList();

    assertEquals(
        steps,
        entered(
                steps,
                () -> {
                  pair.left.lab.handle(pair.left.link).submit(call);
                  assertTrue(pair.stepUntil(() -> call.endings > 0, TimeUnit.SECONDS.toNanos(1)));
                })
            .stream()
            .distinct()
            .toList());
  }

  /** Takes bytes and keeps none. */
  private static final class Sink implements BodyTarget {
    @Override
    public void write(byte[] from, int offset, int length) {
      assertTrue(length > 0);
    }

    @Override
    public void complete() {
      // The call's end tells.
    }

    @Override
    public void abort(Throwable cause) {
      throw new AssertionError("not in this test", cause);
    }
  }
}
