package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.oracle.Coverage;
import java.util.List;

/**
 * The results of a batch of runs.
 *
 * @param seeds the seeds of the batch
 * @param ran runs, repetitions not counted
 * @param repeated runs that were run a second time to compare their hashes
 * @param failures the runs that broke a rule, in the order of their seeds
 * @param traceHash hash over the hashes of all runs
 * @param totals sums over all runs
 * @param coverage the rare events of all runs
 * @param cpuNs processor time of the simulation threads, repetitions included
 * @param wallNs real time of the batch, ns
 */
public record BatchResult(
    SeedRange seeds,
    int ran,
    int repeated,
    List<RunResult> failures,
    String traceHash,
    Totals totals,
    Coverage coverage,
    long cpuNs,
    long wallNs) {
  private static final double NS_PER_S = 1e9;

  /**
   * Sums over runs.
   *
   * @param virtualNs virtual time
   * @param events events
   * @param datagrams datagrams that arrived
   * @param executions executions that applications recorded
   * @param faults planned faults that happened
   */
  public record Totals(long virtualNs, long events, long datagrams, long executions, long faults) {
    static final Totals NONE = new Totals(0, 0, 0, 0, 0);

    Totals plus(RunResult run) {
      return new Totals(
          virtualNs + run.virtualNs(),
          events + run.counts().events(),
          datagrams + run.counts().datagrams(),
          executions + run.counts().executions(),
          faults + run.counts().faults());
    }
  }

  /** Runs per second of processor time. */
  public double seedsPerCpuSecond() {
    return cpuNs == 0 ? 0 : (ran + repeated) * NS_PER_S / cpuNs;
  }

  /** Events per second of processor time. */
  public double eventsPerCpuSecond() {
    return cpuNs == 0 ? 0 : totals.events() * NS_PER_S / cpuNs * (ran + repeated) / ran;
  }
}
