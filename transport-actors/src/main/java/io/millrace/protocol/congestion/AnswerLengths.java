package io.millrace.protocol.congestion;

/**
 * Foresees the length of a route's next answer: the longest of the last answers, if the last
 * answers were of similar length. Foresees also whether the answer comes in time for its grant.
 * Knows the routes of the last calls, a fixed number. Owned by a worker. No clock; does not
 * allocate after construction.
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

  /** Answers too late for their grants, one after the other, after which grants are rare. */
  private static final int MOST_LATE = 4;

  /** Of a route with late answers, one call of this number has a grant. */
  private static final int TRIAL_CALLS = 32;

  private final long[] routes = new long[ROUTES];
  private final int[] answers = new int[ROUTES];
  private final int[] mean = new int[ROUTES];
  private final int[] longest = new int[ROUTES];
  private final int[] longestBefore = new int[ROUTES];

  /** More for each answer that came too late for its grant, less for each answer in time. */
  private final int[] late = new int[ROUTES];

  /** Calls since the last trial of a grant. */
  private final int[] untried = new int[ROUTES];

  /** An answer of this length came; 0 for an answer that costs nothing. */
  public void onAnswer(long route, int bytes) {
    final int at = indexOf(route);
    if (routes[at] != route) {
      routes[at] = route;
      answers[at] = 0;
      mean[at] = bytes;
      longest[at] = 0;
      longestBefore[at] = 0;
      late[at] = 0;
      untried[at] = 0;
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

  /** An answer of the route came by its grant. */
  public void onTimely(long route) {
    final int at = indexOf(route);
    if (routes[at] == route) {
      late[at] = Math.max(late[at] - 1, 0);
    }
  }

  /** An answer of the route was ready when its grant had expired. */
  public void onLate(long route) {
    final int at = indexOf(route);
    if (routes[at] == route) {
      late[at] = Math.min(late[at] + 1, MOST_LATE);
    }
  }

  /**
   * Whether a grant for the next call of the route is worth it: the last answers were in time, or
   * the call is a trial. To be asked once for each call.
   */
  public boolean isTimely(long route) {
    final int at = indexOf(route);
    if (routes[at] != route || late[at] < MOST_LATE) {
      return true;
    }
    untried[at]++;
    final boolean isTrial = untried[at] == TRIAL_CALLS;
    untried[at] = isTrial ? 0 : untried[at];
    return isTrial;
  }

  private static int indexOf(long route) {
    return (int) (route * HASH_FACTOR >>> HASH_SHIFT);
  }
}
