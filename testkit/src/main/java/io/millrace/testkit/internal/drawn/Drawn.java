package io.millrace.testkit.internal.drawn;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The values drawn by the generators: values of settings, kinds of faults that began, pairs of
 * faults, patterns of calls. A pair A, B has occurred in a run if a fault of kind B began during a
 * fault of kind A, or at most {@link #AFTER_NS} after its end. Counts of faults, pairs and patterns
 * are numbers of runs. Not safe for several threads: an object for each run, merged afterwards.
 */
public final class Drawn {
  /**
   * The time after its end in which a fault still makes a pair with a beginning fault, virtual ns.
   */
  public static final long AFTER_NS = 500_000_000;

  /** The most distinct values of a setting that are counted. */
  public static final int MOST_VALUES = 100;

  private static final FaultKind[] KINDS = FaultKind.values();

  /** The duration of a fault that ends with its run. */
  public static final long FOR_EVER_NS = Long.MAX_VALUE / 4;

  private final SortedMap<String, SortedSet<String>> settings = new TreeMap<>();
  private final SortedMap<String, Long> patterns = new TreeMap<>();
  private final long[] faults = new long[KINDS.length];
  private final long[][] pairs = new long[KINDS.length][KINDS.length];
  private final long[] lastEndNs = new long[KINDS.length];

  /** Creates an object without drawn values. */
  public Drawn() {
    Arrays.fill(lastEndNs, Long.MIN_VALUE);
  }

  /**
   * Records the settings of a run: a record, whose components are settings or records of settings.
   *
   * @param prefix ahead of all names
   */
  public <T extends Record> T settings(String prefix, T drawn) {
    for (RecordComponent component : drawn.getClass().getRecordComponents()) {
      String name = prefix + component.getName();
      Object value = value(component, drawn);
      if (value instanceof Record nested) {
        settings(name + ".", nested);
      } else {
        value(name, Arrays.deepToString(new Object[] {value}));
      }
    }
    return drawn;
  }

  private static Object value(RecordComponent component, Record of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the record " + of.getClass() + " has no " + component, e);
    }
  }

  private void value(String name, String value) {
    SortedSet<String> known = settings.computeIfAbsent(name, each -> new TreeSet<>());
    if (known.size() < MOST_VALUES) {
      known.add(value);
    }
  }

  /** Records a call of this pattern. */
  public void pattern(String name) {
    patterns.put(name, 1L);
  }

  /**
   * Records the beginning of a fault.
   *
   * @param nowNs now, virtual ns
   * @param forNs duration of the fault; 0 if the fault is over at once
   */
  public void fault(FaultKind kind, long nowNs, long forNs) {
    for (FaultKind before : KINDS) {
      long endNs = lastEndNs[before.ordinal()];
      if (endNs != Long.MIN_VALUE && nowNs - endNs <= AFTER_NS) {
        pairs[before.ordinal()][kind.ordinal()] = 1;
      }
    }
    faults[kind.ordinal()] = 1;
    lastEndNs[kind.ordinal()] = Math.max(lastEndNs[kind.ordinal()], nowNs + forNs);
  }

  /** Adds the values of another run. */
  public void merge(Drawn other) {
    other.settings.forEach((name, values) -> values.forEach(value -> value(name, value)));
    other.patterns.forEach((name, runs) -> patterns.merge(name, runs, Long::sum));
    for (int i = 0; i < KINDS.length; i++) {
      faults[i] += other.faults[i];
      for (int j = 0; j < KINDS.length; j++) {
        pairs[i][j] += other.pairs[i][j];
      }
    }
  }

  /**
   * Returns how many distinct values each setting had; {@link #MOST_VALUES} stands for more, too.
   */
  public SortedMap<String, Integer> settings() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    settings.forEach((name, values) -> counts.put(name, values.size()));
    return counts;
  }

  /** Returns the number of runs with calls of each pattern. */
  public Map<String, Long> patterns() {
    return Collections.unmodifiableSortedMap(patterns);
  }

  /** Returns the number of runs in which a fault of this kind began. */
  public long faults(FaultKind kind) {
    return faults[kind.ordinal()];
  }

  /**
   * Returns the number of runs in which a fault of the second kind began during a fault of the
   * first kind, or soon after.
   */
  public long pairs(FaultKind first, FaultKind second) {
    return pairs[first.ordinal()][second.ordinal()];
  }

  /** Returns the settings with a single value in all runs. */
  public List<String> constant() {
    List<String> constant = new ArrayList<>();
    settings.forEach(
        (name, values) -> {
          if (values.size() == 1) {
            constant.add(name);
          }
        });
    return constant;
  }
}
