package io.millrace.samples.selftest;

import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * The result of a check.
 *
 * @param check the check
 * @param status the outcome
 * @param detail the reason, or the figures in words
 * @param figures figures by name, with the unit last in the name
 */
public record Finding(Check check, Status status, String detail, Map<String, Object> figures) {
  /** The outcome of a check. */
  public enum Status {
    /** The check ran, and all was as it should be. */
    OK,
    /** The check ran, and something was wrong; the finding's detail has the reason. */
    FAILED,
    /** The check did not run; the finding's detail has the reason. */
    SKIPPED
  }

  /** Whether the self-test as a whole has failed by this finding. */
  public boolean isFatal() {
    return status == Status.FAILED && check.isRequired();
  }

  /**
   * The remedy of a failure of the driver with this name; lack of space has a remedy of its own.
   */
  String remedy(String driver) {
    Check cause = detail.contains(HostLimits.SHARED.toString()) ? Check.SHARED_MEMORY : check;
    return cause.remedy(driver);
  }

  static Finding ok(Check check, String detail) {
    return new Finding(check, Status.OK, detail, Map.of());
  }

  static Finding failed(Check check, String reason) {
    return new Finding(check, Status.FAILED, reason, Map.of());
  }

  static Finding skipped(Check check, String reason) {
    return new Finding(check, Status.SKIPPED, reason, Map.of());
  }

  Finding with(SequencedMap<String, String> facts) {
    return new Finding(check, status, detail, Map.copyOf(facts));
  }

  Finding with(String name, long value) {
    Map<String, Object> more = new TreeMap<>(figures);
    more.put(name, value);
    return new Finding(check, status, detail, Map.copyOf(more));
  }
}
