package io.millrace.testkit.sim.junit;

import java.time.Duration;

/**
 * The settings of a test for its runs.
 *
 * @param test class and method of the test, as Maven takes the two
 * @param corpus the file of runs that failed once, from the root of the module
 * @param threads runs at once
 * @param shrinkRuns runs to make a failing run smaller, at most
 * @param patience how long one run may take, real time; zero is for ever
 */
record CampaignSettings(
    String test, String corpus, int threads, int shrinkRuns, Duration patience) {
  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);

  /** With the usual patience. */
  static CampaignSettings of(String test, String corpus, int threads, int shrinkRuns) {
    return new CampaignSettings(test, corpus, threads, shrinkRuns, USUAL_PATIENCE);
  }
}
