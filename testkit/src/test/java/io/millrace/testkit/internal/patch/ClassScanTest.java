package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.dispatch.Mailbox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassScanTest {
  private static final String PROBE = "io.millrace.testkit.internal.patch.Probe";

  /**
   * Calls that make objects whose construction counts, though the construction is in other classes.
   */
  private static final Set<String> HARMLESS = Set.of("makeOwnThread", "forkTask");

  private static ClassScan scan(String patched) throws IOException {
    ClassScan scan =
        new ClassScan(new PatchedPackages(List.of(patched)), ClassScanTest.class.getClassLoader());
    scan.addClass(
        "io/millrace/testkit/internal/patch/Probe.class", PatchedProbe.bytes(Probe.class));
    return scan;
  }

  @Test
  void shouldReportEveryCallOfAClassThatIsNotRewritten() throws IOException {
    ClassScan scan = scan("org.other");
    assertEquals(0, scan.rewritten());
    Set<String> methods =
        scan.left().stream().map(CallSite::method).collect(Collectors.toCollection(TreeSet::new));
    Set<String> all = new TreeSet<>();
    for (var method : Probe.class.getDeclaredMethods()) {
      if (!method.isSynthetic() && !HARMLESS.contains(method.getName())) {
        all.add(method.getName());
      }
    }
    assertEquals(all, methods);
    List<String> problems = scan.problems(KnownCalls.of(Stream.of()));
    assertEquals(scan.left().size(), problems.size());
    assertTrue(
        problems.contains(
            "not rewritten and not known: clock "
                + PROBE
                + " (nanoTime calls java.lang.System.nanoTime), whose package the agent is not"
                + " told"),
        problems::toString);
  }

  @Test
  void shouldFindNothingLeftInAClassThatIsRewritten() throws IOException {
    ClassScan scan = scan("io.millrace.testkit.internal");
    scan.addClass(
        "io/millrace/testkit/internal/patch/ProbeOfWaits.class",
        PatchedProbe.bytes(ProbeOfWaits.class));
    assertEquals(2, scan.rewritten());
    assertEquals(List.of(), scan.left());
    assertEquals(15, scan.refused());
  }

  @Test
  void shouldAcceptWhatAListKnowsByKindAndClass() throws IOException {
    ClassScan scan = scan("org.other");
    List<String> problems =
        scan.problems(
            KnownCalls.of(
                Stream.of("# why", "", "clock,random " + PROBE + " said", "pool io.mill* said")));
    assertFalse(problems.isEmpty());
    assertTrue(
        problems.stream().noneMatch(x -> x.matches(".*: (clock|random|pool) .*")),
        problems::toString);
  }

  @Test
  void shouldReportLinesThatMatchNothing() throws IOException {
    List<String> problems =
        scan("io.millrace.testkit.internal")
            .problems(KnownCalls.of(Stream.of("block,pool " + PROBE + " a", "clock com.acme.* b")));
    assertEquals(
        List.of(
            "known but not there: pool " + PROBE,
            "known but not there: block " + PROBE,
            "known but not there: clock com.acme.*"),
        problems);
  }

  @Test
  void shouldRefuseLinesWithoutAReasonOrWithAnUnknownKind() {
    for (String wrong : List.of("clock com.acme.A", "time com.acme.A reason", "clock, a reason")) {
      assertThrows(IllegalArgumentException.class, () -> KnownCalls.of(Stream.of(wrong)), wrong);
    }
  }

  @Test
  void shouldFailATestOnEachCallThatNothingControls() throws IOException {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> scan("org.other").requireControlled("clock,random,pool,thread " + PROBE + " a"));
    String text = String.valueOf(failure.getMessage());
    assertTrue(
        text.contains("block " + PROBE + " (sleeps calls java.lang.Thread.sleep), whose package"),
        text);
    assertTrue(text.endsWith("or name the call as KIND CLASS REASON."), text);
    scan("io.millrace.testkit.internal").requireControlled();
    assertThrows(
        IllegalArgumentException.class,
        () -> scan("org.other").requireControlled("clock without-a-reason"));
  }

  @Test
  void shouldLookAtAllThatLiesWhereAClassComesFromAsTheAgentOfThisJvmRewritesIt()
      throws IOException {
    ClassScan scan = ClassScan.of(Mailbox.class, ActorSystem.class);
    assertTrue(scan.rewritten() > 10, () -> scan.rewritten() + " rewritten");
    assertTrue(scan.classes() > 1_000, () -> scan.classes() + " classes, each once");
    scan.requireControlled("random org.apache.pekko.routing.DefaultOptimal* passes it on");
  }

  @Test
  void shouldFailATestThatLooksAtNothing(@TempDir Path empty) throws IOException {
    ClassScan scan = ClassScan.of(empty);
    AssertionError failure = assertThrows(AssertionError.class, scan::requireControlled);
    assertEquals("there was no class to look at", failure.getMessage());
    assertThrows(IllegalArgumentException.class, () -> ClassScan.of(String.class));
  }

  @Test
  void shouldWatchEveryCallThatIsRewritten() {
    assertEquals(CallKind.CLOCK, CallKind.of("java/time/LocalDate", "now", "()V"));
    assertEquals(CallKind.RANDOM, CallKind.of("java/util/Random", "<init>", "()V"));
    assertEquals(
        CallKind.CLOCK, CallKind.of("org/agrona/concurrent/SystemNanoClock", "INSTANCE", "Lany;"));
  }
}
