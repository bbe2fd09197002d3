package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

class AgronaCallSitesTest {
  private final ClassScan scan =
      new ClassScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /**
   * A failure after an update of Agrona: check that no simulated code comes there, and list the
   * call.
   */
  @Test
  void shouldKnowEveryCallThatAgronaMakesPastTheSimulation() throws Exception {
    scan.add(Lists.location(MutableDirectBuffer.class));
    assertTrue(scan.classes() > 200, () -> scan.classes() + " classes");
    Lists.assertKnown("agrona-calls.txt", scan);
  }
}
