package io.millrace.api;

import io.millrace.testkit.Repetitions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A world for tests; the same test runs in several worlds. */
interface TestWorld {
  /** Whether the world uses sockets of this machine, which cost far more time than a simulation. */
  boolean isOnSockets();

  /**
   * Returns the worlds of a test without other parameters: in the commit tier only one world on
   * sockets, chosen by the commit; all worlds in the soak.
   */
  static <W extends TestWorld> List<W> chosen(W[] all) {
    List<W> sockets = Arrays.stream(all).filter(TestWorld::isOnSockets).toList();
    Set<W> kept = Repetitions.chosen(1, sockets).collect(Collectors.toSet());
    return Arrays.stream(all).filter(each -> !each.isOnSockets() || kept.contains(each)).toList();
  }
}
