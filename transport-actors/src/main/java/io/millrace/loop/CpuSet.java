package io.millrace.loop;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/** An immutable set of CPU ids, in ascending order. */
public final class CpuSet {
  /** No CPU at all. */
  public static final CpuSet NONE = new CpuSet(new BitSet());

  private final BitSet cpus;

  private CpuSet(BitSet cpus) {
    this.cpus = cpus;
  }

  /** The set of these CPUs. */
  public static CpuSet of(int... cpus) {
    BitSet bits = new BitSet();
    for (int cpu : cpus) {
      bits.set(cpu);
    }
    return new CpuSet(bits);
  }

  /** The set of these CPUs. */
  public static CpuSet of(Iterable<Integer> cpus) {
    BitSet bits = new BitSet();
    cpus.forEach(bits::set);
    return new CpuSet(bits);
  }

  /**
   * Reads the kernel's list format, for example {@code 0-3,8,10-11}; empty text is the empty set.
   *
   * @throws IllegalArgumentException if the text is no such list
   */
  public static CpuSet parse(String list) {
    if (list.isBlank()) {
      return NONE;
    }
    BitSet bits = new BitSet();
    for (String range : list.split(",", -1)) {
      addRange(bits, range.strip(), list);
    }
    return new CpuSet(bits);
  }

  /** The set whose members are the set bits of {@code mask}, lowest word first. */
  static CpuSet ofMask(long[] mask) {
    return new CpuSet(BitSet.valueOf(mask));
  }

  /** The set as a mask, lowest word first. */
  long[] toMask() {
    return cpus.toLongArray();
  }

  /** Whether {@code cpu} is a member. */
  public boolean contains(int cpu) {
    return cpus.get(cpu);
  }

  /** Whether the set is empty. */
  public boolean isEmpty() {
    return cpus.isEmpty();
  }

  /** The number of members. */
  public int count() {
    return cpus.cardinality();
  }

  /** The members, ascending. */
  public List<Integer> toList() {
    return cpus.stream().boxed().toList();
  }

  /** The members missing from {@code other}. */
  public CpuSet without(CpuSet other) {
    BitSet bits = (BitSet) cpus.clone();
    bits.andNot(other.cpus);
    return new CpuSet(bits);
  }

  /** Whether this and {@code other} have a member in common. */
  public boolean overlaps(CpuSet other) {
    return cpus.intersects(other.cpus);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CpuSet set && cpus.equals(set.cpus);
  }

  @Override
  public int hashCode() {
    return Objects.hash(cpus);
  }

  /** The set in the kernel's list format. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int first = cpus.nextSetBit(0); first >= 0; ) {
      int end = cpus.nextClearBit(first);
      text.append(text.isEmpty() ? "" : ",").append(first);
      if (end > first + 1) {
        text.append('-').append(end - 1);
      }
      first = cpus.nextSetBit(end);
    }
    return text.toString();
  }

  private static void addRange(BitSet bits, String range, String list) {
    int dash = range.indexOf('-');
    try {
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
      bits.set(first, last + 1);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("not a list of CPUs: " + list.strip(), e);
    }
  }
}
