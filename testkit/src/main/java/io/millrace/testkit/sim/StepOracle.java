package io.millrace.testkit.sim;

/** An oracle that looks again and again while the run goes on. Simulation thread only. */
public interface StepOracle extends Oracle {
  /** Called after every event of the run; this method must be cheap. */
  void onStep();
}
