package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.net.FiredFault;
import io.millrace.testkit.internal.oracle.Coverage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run went.
 *
 * @param seed its seed
 * @param traceHash hash of everything that happened
 * @param violation the first rule that was broken, or null
 * @param counts how much happened
 * @param coverage which rare things happened
 * @param unmet planned faults that waited for a frame which never came
 * @param happened what was planned and happened; empty unless a rule was broken
 * @param packetFaults what befell single datagrams; empty unless a rule was broken
 * @param varied settings that were not as usual; empty unless a rule was broken
 * @param kept what it was to keep, and what it has of that
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
   * How much happened in a run.
   *
   * @param virtualNs virtual time that passed
   * @param events events that happened
   * @param datagrams datagrams that arrived, and messages of a fabric
   * @param executions what the application recorded as executed
   * @param faults planned faults that happened
   */
  public record Counts(long virtualNs, long events, long datagrams, long executions, long faults) {}

  /** Virtual time that passed. */
  public long virtualNs() {
    return counts.virtualNs();
  }

  /** Whether a rule was broken. */
  public boolean isFailed() {
    return violation != null;
  }

  /** The same with this violation. */
  RunResult withViolation(SimViolation other) {
    return new RunResult(
        seed, traceHash, other, counts, coverage, unmet, happened, packetFaults, varied, kept);
  }

  /** A run that did not end. */
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
