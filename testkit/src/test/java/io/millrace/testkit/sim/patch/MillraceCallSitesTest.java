package io.millrace.testkit.sim.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverProvider;
import org.junit.jupiter.api.Test;

class MillraceCallSitesTest {
  private final CallSiteScan scan =
      new CallSiteScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /** When this fails: ask the node's environment instead, or list the call with a reason. */
  @Test
  void shouldKnowEveryCallThatTheEngineMakesPastItsEnvironment() throws Exception {
    scan.add(Lists.location(DriverProvider.class));
    assertTrue(scan.classes() > 400, () -> scan.classes() + " classes");
    Lists.assertKnown("millrace-calls.txt", scan);
  }
}
