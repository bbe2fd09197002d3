package io.millrace.api.many;

import io.millrace.api.CallException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * So many calls have failed that too few answers can still come. The message names each failure.
 */
public final class QuorumException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<CallException> failures;

  QuorumException(int needed, int calls, List<CallException> failures) {
    super(
        needed
            + " of "
            + calls
            + " answers are needed, and these calls failed: "
            + failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; ")),
        null,
        false,
        false);
    this.failures = failures;
  }

  /** Returns the failures up to the moment of this exception; empty after serialization. */
  public List<CallException> failures() {
    return failures == null ? List.of() : failures;
  }
}
