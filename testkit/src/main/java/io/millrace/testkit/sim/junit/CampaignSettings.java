package io.millrace.testkit.sim.junit;

import java.time.Duration;

/**
 * What a test says about its runs.
 *
 * @param test its class and method, as Maven takes them
 * @param corpus the file of what failed once, from the root of the module
 * @param threads runs at once
 * @param shrinkRuns runs to make a failing one smaller, at most
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
