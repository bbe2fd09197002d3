package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.net.FiredFault;
import io.millrace.testkit.internal.oracle.Coverage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param seed the run's seed
 * @param traceHash hash of all events
 * @param violation the first broken rule, or null
 * @param counts amounts of time, events and datagrams
 * @param coverage the rare events of the run
 * @param unmet planned faults whose frame never came
 * @param happened planned events that happened; empty unless a rule was broken
 * @param packetFaults faults of single datagrams; empty unless a rule was broken
 * @param varied unusual settings; empty unless a rule was broken
 * @param kept the parts that the run was to keep, and the parts that the run had
 */
public record RunResult(
    long seed,
    String traceHash,
    @Nullable SimViolation violation,
    Counts counts,
    Coverage coverage,
    List<PlannedEvent> unmet,
    List<PlannedEvent> happened,
    List<FiredFault> packetFaults,
    List<VariedSetting> varied,
    KeptParts kept) {
  /**
   * The amounts of time, events and datagrams of a run.
   *
   * @param virtualNs virtual time that passed
   * @param events events that happened
   * @param datagrams datagrams that arrived, and messages of a fabric
   * @param executions executions that the application recorded
   * @param faults planned faults that happened
   */
  public record Counts(long virtualNs, long events, long datagrams, long executions, long faults) {}

  /** The virtual time of the run. */
  public long virtualNs() {
    return counts.virtualNs();
  }

  /** Whether a rule was broken. */
  public boolean isFailed() {
    return violation != null;
  }

  /** This result with this violation. */
  RunResult withViolation(SimViolation other) {
    return new RunResult(
        seed, traceHash, other, counts, coverage, unmet, happened, packetFaults, varied, kept);
  }

  /** The result of a run that did not end. */
  static RunResult abandoned(RunSettings settings, SimViolation violation) {
    return new RunResult(
        settings.seed(),
        "",
        violation,
        new Counts(violation.timeNs(), 0, 0, 0, 0),
        new Coverage(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new KeptParts(settings.keep(), List.of(), 0, 0));
  }
}
