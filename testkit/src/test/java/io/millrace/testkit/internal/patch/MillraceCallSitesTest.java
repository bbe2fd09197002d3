package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MillraceCallSitesTest {
  private final ClassScan scan =
      new ClassScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /** A failure: ask the node's environment instead, or list the call with a reason. */
  @Test
  void shouldKnowEveryCallThatTheEngineAndTheSimulatorMake() throws Exception {
    scan.add(Lists.location(DriverProvider.class));
    Path testkit = Lists.location(ClassScan.class);
    for (String simulated : List.of("base", "core", "fabric", "net", "node", "oracle")) {
      scan.add(testkit.resolve("io/millrace/testkit/internal").resolve(simulated));
    }
    addWithoutFolders(testkit.resolve("io/millrace/testkit/sim"));
    assertTrue(scan.classes() > 500, () -> scan.classes() + " classes");
    Lists.assertKnown("millrace-calls.txt", scan);
  }

  private void addWithoutFolders(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        scan.addClass(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }
}
