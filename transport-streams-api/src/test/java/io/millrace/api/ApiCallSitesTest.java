package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.patch.ClassScan;
import io.millrace.testkit.internal.patch.KnownCalls;
import io.millrace.testkit.internal.patch.PatchedPackages;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ApiCallSitesTest {
  /** When this fails: ask the node's environment instead, or list the call with a reason. */
  @Test
  void shouldKnowEveryCallThatTheApiMakesPastItsEnvironment() throws Exception {
    ClassLoader loader = getClass().getClassLoader();
    ClassScan scan = new ClassScan(PatchedPackages.DEFAULT, loader);
    scan.add(Path.of(Transport.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    assertTrue(scan.classes() > 50, () -> scan.classes() + " classes");
    try (InputStream list = getClass().getResourceAsStream("known-calls.txt")) {
      KnownCalls known = KnownCalls.read(Objects.requireNonNull(list));
      assertEquals("", String.join("\n", scan.problems(known)));
    }
  }
}
