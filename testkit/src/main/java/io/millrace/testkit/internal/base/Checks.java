package io.millrace.testkit.internal.base;

/** Refuses meaningless settings, in words. */
public final class Checks {
  private static final int PPM = 1_000_000;

  private Checks() {}

  /** Refuses negative values. */
  public static void notNegative(String what, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(what + " is not negative, but " + value);
    }
  }

  /** Refuses values that are not chances in a million. */
  public static void ppm(String what, int ppm) {
    if (ppm < 0 || ppm > PPM) {
      throw new IllegalArgumentException(
          "the chance of " + what + " is 0 to 1000000 in a million, not " + ppm);
    }
  }
}
