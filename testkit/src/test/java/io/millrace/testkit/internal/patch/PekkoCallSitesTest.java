package io.millrace.testkit.internal.patch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.event.slf4j.Slf4jLogger;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.typed.javadsl.ActorSource;
import org.junit.jupiter.api.Test;
import scala.Option;

class PekkoCallSitesTest {
  private final ClassScan scan =
      new ClassScan(PatchedPackages.DEFAULT, getClass().getClassLoader());

  /** A failure after an update of Pekko: rewrite the call, or list the call with a reason. */
  @Test
  void shouldKnowEveryCallThatPekkoAndScalaMakePastTheSimulation() throws Exception {
    for (Class<?> one :
        List.of(
            Option.class,
            ActorSystem.class,
            Behavior.class,
            Slf4jLogger.class,
            Source.class,
            ActorSource.class)) {
      scan.add(Lists.location(one));
    }
    assertTrue(scan.classes() > 8_000, () -> scan.classes() + " classes");
    assertTrue(scan.rewritten() > 40, () -> scan.rewritten() + " rewritten");
    assertTrue(scan.refused() > 10, () -> scan.refused() + " refused");
    Lists.assertKnown("pekko-calls.txt", scan);
  }
}
