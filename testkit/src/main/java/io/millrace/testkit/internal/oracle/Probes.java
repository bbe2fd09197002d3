package io.millrace.testkit.internal.oracle;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a scenario must reach in one of its runs at least, by names of its own, and how often it
 * did. Not safe for several threads: one for each run, merged afterwards.
 */
public final class Probes {
  private final Map<String, Long> hits = new LinkedHashMap<>();

  /** Nothing is to be reached. */
  public Probes() {}

  /** This must be reached by one run of many. */
  public void mustReach(String what) {
    hits.putIfAbsent(what, 0L);
  }

  /**
   * It was reached.
   *
   * @throws IllegalArgumentException if nobody has said that it must be
   */
  public void reached(String what) {
    Long before = hits.get(what);
    if (before == null) {
      throw new IllegalArgumentException(
          "reached \"" + what + "\", which mustReach has not named in this run");
    }
    hits.put(what, before + 1);
  }

  /** Adds what another run was to reach, and reached. */
  public void merge(Probes other) {
    other.hits.forEach((what, times) -> hits.merge(what, times, Long::sum));
  }

  /** What was never reached, in the order of its naming. */
  public List<String> missing() {
    return hits.entrySet().stream().filter(x -> x.getValue() == 0).map(Map.Entry::getKey).toList();
  }
}
