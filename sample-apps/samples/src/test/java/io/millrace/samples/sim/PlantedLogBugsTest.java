package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Former bugs of the log are planted into its compiled classes again, one at a time. A few seeds of
 * its simulation must find each bug, by the rule meant for the bug.
 */
final class PlantedLogBugsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(LogBug.class)
  @Timeout(120)
  void shouldFind(LogBug bug) throws Exception {
    bug.change().write(folder);
    SimRunner runner = new SimRunner(new ChangedLog(folder).scenario(bug.replicas()), 1);
    SeedRange seeds = SeedRange.parse(bug.seeds());
    @Nullable SimViolation found = null;
    for (long seed = seeds.first(); seed <= seeds.last() && found == null; seed++) {
      found = runner.run(RunSettings.of(seed)).violation();
    }
    assertNotNull(found, "not found, take other seeds");
    assertEquals(bug.rule(), found.rule(), found::toString);
    String message = String.valueOf(found.getMessage());
    assertTrue(Pattern.compile(bug.words()).matcher(message).find(), message);
  }
}
