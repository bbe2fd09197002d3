package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;

class AgronaCallSitesTest {
  private final ClassScan scan =
      new ClassScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /**
   * When this fails after an update of Agrona: see that nothing simulated comes there, and list.
   */
  @Test
  void shouldKnowEveryCallThatAgronaMakesPastTheSimulation() throws Exception {
    scan.add(Lists.location(MutableDirectBuffer.class));
    assertTrue(scan.classes() > 200, () -> scan.classes() + " classes");
    Lists.assertKnown("agrona-calls.txt", scan);
  }
}
