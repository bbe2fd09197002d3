package io.millrace.protocol.congestion;

/**
 * Foresees the length of a route's next answer: the longest of the last answers, if the last
 * answers were of similar length. Knows the routes of the last calls, a fixed number. Owned by a
 * worker. No clock; does not allocate after construction.
 */
public final class AnswerLengths {
  private static final int ROUTES = 256;
  private static final int HASH_SHIFT = 56;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

  /** Answers of a route before the first forecast. */
  private static final int LEAST_ANSWERS = 4;

  /** Answers after which the longest answer of the time before is forgotten. */
  private static final int PERIOD_ANSWERS = 32;

  private static final int MEAN_WEIGHT = 8;

  private final long[] routes = new long[ROUTES];
  private final int[] answers = new int[ROUTES];
  private final int[] mean = new int[ROUTES];
  private final int[] longest = new int[ROUTES];
  private final int[] longestBefore = new int[ROUTES];

  /** An answer of this length came; 0 for an answer that costs nothing. */
  public void onAnswer(long route, int bytes) {
    final int at = indexOf(route);
    if (routes[at] != route) {
      routes[at] = route;
      answers[at] = 0;
      mean[at] = bytes;
      longest[at] = 0;
      longestBefore[at] = 0;
    }
    mean[at] += (bytes - mean[at]) / MEAN_WEIGHT;
    longest[at] = Math.max(longest[at], bytes);
    answers[at]++;
    if (answers[at] >= LEAST_ANSWERS + PERIOD_ANSWERS) {
      answers[at] = LEAST_ANSWERS;
      longestBefore[at] = longest[at];
      longest[at] = 0;
    }
  }

  /** The bytes of the route's next answer; 0 if unknown, or if the last answers differed much. */
  public int forecastBytes(long route) {
    final int at = indexOf(route);
    if (routes[at] != route || answers[at] < LEAST_ANSWERS) {
      return 0;
    }
    final int most = Math.max(longest[at], longestBefore[at]);
    return mean[at] >= most - most / 4 ? most : 0;
  }

  private static int indexOf(long route) {
    return (int) (route * HASH_FACTOR >>> HASH_SHIFT);
  }
}
