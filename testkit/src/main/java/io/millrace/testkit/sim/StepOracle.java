package io.millrace.testkit.sim;

/** One that looks again and again while the run goes on. Simulation thread only. */
public interface StepOracle extends Oracle {
  /** Something happened; called after every event, so it must be cheap. */
  void onStep();
}
