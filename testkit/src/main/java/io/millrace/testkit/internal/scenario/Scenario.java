package io.millrace.testkit.internal.scenario;

/**
 * The work and the faults of a simulated cluster. The code runs on the simulation thread, outside
 * of all nodes, and may keep no state between runs: several seeds may run at once.
 */
@FunctionalInterface
public interface Scenario {
  /**
   * Runs the scenario once: adds nodes, plans steps and faults, lets time pass, checks.
   *
   * @throws Exception fails the run, as an {@link AssertionError} does
   */
  void run(FullRun run) throws Exception;
}
