package io.millrace.api;

import io.millrace.testkit.Repetitions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A world that the same test runs in as in others. */
interface TestWorld {
  /** Whether there are sockets of this machine, which cost far more time than a simulation. */
  boolean isOnSockets();

  /**
   * The worlds of a test that has no other parameter: in the commit tier only one of those on
   * sockets, which the commit decides; all in the soak.
   */
  static <W extends TestWorld> List<W> chosen(W[] all) {
    List<W> sockets = Arrays.stream(all).filter(TestWorld::isOnSockets).toList();
    Set<W> kept = Repetitions.chosen(1, sockets).collect(Collectors.toSet());
    return Arrays.stream(all).filter(each -> !each.isOnSockets() || kept.contains(each)).toList();
  }
}
