package io.millrace.testkit.internal.oracle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events, named by a scenario, that at least one of its runs must reach, and how often runs
 * did. Not safe for several threads: an object for each run, merged afterwards.
 */
public final class Probes {
  private final Map<String, Long> hits = new LinkedHashMap<>();

  /** Creates an object without events. */
  public Probes() {}

  /** Names an event that one run of many must reach. */
  public void mustReach(String what) {
    hits.putIfAbsent(what, 0L);
  }

  /**
   * Counts an event.
   *
   * @throws IllegalArgumentException if the event was not named
   */
  public void reached(String what) {
    Long before = hits.get(what);
    if (before == null) {
      throw new IllegalArgumentException(
          "reached \"" + what + "\", which mustReach has not named in this run");
    }
    hits.put(what, before + 1);
  }

  /** Adds the events and hits of another run. */
  public void merge(Probes other) {
    other.hits.forEach((what, times) -> hits.merge(what, times, Long::sum));
  }

  /** Returns the events without a hit, in the order of their naming. */
  public List<String> missing() {
    return hits.entrySet().stream().filter(x -> x.getValue() == 0).map(Map.Entry::getKey).toList();
  }
}
