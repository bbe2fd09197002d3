package io.millrace.protocol.causality;

import java.util.Arrays;

/**
 * The numbers by which a receiver knows a path's transfers that other transfers wait for; rules D-5
 * and D-6. A request gets its number when it is first sent, and the number is kept while its
 * transfer, or a transfer that names the number, is open. Owned by the path's worker. No clock;
 * allocates only during growth.
 */
public final class SentNumbers {
  /** Numbers that may be kept at once: the length of the receiver's memory. */
  public static final int WINDOW = 4_096;

  private static final int INITIAL = 16;

  /**
   * The number of holders of each number, at the number's place modulo the length, which is a power
   * of two.
   */
  private int[] holders = new int[INITIAL];

  private long floor = 1;
  private long next = 1;

  /** Creates the numbers, all unused. */
  public SentNumbers() {}

  /** Gives the next number, kept once; 0 if the receiver remembers no more numbers. */
  public long take() {
    if (next - floor == WINDOW) {
      return 0;
    }
    if (next - floor == holders.length) {
      grow();
    }
    long number = next++;
    holders[place(number)] = 1;
    return number;
  }

  /** Keeps a number once more. */
  public void hold(long number) {
    if (!isKept(number)) {
      throw new IllegalArgumentException("number " + number + " is not kept");
    }
    holders[place(number)]++;
  }

  /** Lets go of a number. */
  public void release(long number) {
    if (!isKept(number)) {
      throw new IllegalArgumentException("number " + number + " is not kept");
    }
    holders[place(number)]--;
    while (floor < next && holders[place(floor)] == 0) {
      floor++;
    }
  }

  /** Whether the receiver still knows of this number. */
  public boolean isKept(long number) {
    return number >= floor && number < next && holders[place(number)] > 0;
  }

  /** No smaller number is kept any more. */
  public long floor() {
    return floor;
  }

  private int place(long number) {
    return (int) number & holders.length - 1;
  }

  private void grow() {
    int[] old = holders;
    holders = Arrays.copyOf(old, old.length * 2);
    Arrays.fill(holders, 0);
    for (long number = floor; number < next; number++) {
      holders[place(number)] = old[(int) number & old.length - 1];
    }
  }
}
