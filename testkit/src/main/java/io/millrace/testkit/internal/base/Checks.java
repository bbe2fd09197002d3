package io.millrace.testkit.internal.base;

/** Refuses settings that mean nothing, in words. */
public final class Checks {
  private static final int PPM = 1_000_000;

  private Checks() {}

  /** Refuses what is negative. */
  public static void notNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " is not negative, but " + value);
    }
  }

  /** Refuses what is no chance in a million. */
  public static void ppm(String what, int ppm) {
    if (ppm < 0 || ppm > PPM) {
      throw new IllegalArgumentException(
          "the chance of " + what + " is 0 to 1000000 in a million, not " + ppm);
    }
  }
}
