package io.millrace.testkit.internal.scenario;

/**
 * What a simulated cluster does and suffers. Its code runs on the simulation thread, outside of all
 * nodes, and may keep no state between runs: several seeds may run at once.
 */
@FunctionalInterface
public interface Scenario {
  /**
   * One run: adds nodes, plans steps and faults, lets time pass, checks.
   *
   * @throws Exception fails the run, as an {@link AssertionError} does
   */
  void run(FullRun run) throws Exception;
}
