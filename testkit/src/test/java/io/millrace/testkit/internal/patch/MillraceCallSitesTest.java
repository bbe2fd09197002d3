package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverProvider;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MillraceCallSitesTest {
  private final ClassScan scan =
      new ClassScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /** When this fails: ask the node's environment instead, or list the call with a reason. */
  @Test
  void shouldKnowEveryCallThatTheEngineAndTheSimulatorMake() throws Exception {
    scan.add(Lists.location(DriverProvider.class));
    Path testkit = Lists.location(ClassScan.class);
    for (String simulated : List.of("core", "fabric", "net", "node", "oracle")) {
      scan.add(testkit.resolve("io/millrace/testkit/sim").resolve(simulated));
    }
    assertTrue(scan.classes() > 500, () -> scan.classes() + " classes");
    Lists.assertKnown("millrace-calls.txt", scan);
  }
}
